// What dense and sparse rows share: which distances are needed for which pairs, and how the k
// smallest of every (query, label) pair are found and written.
#pragma once
#include <algorithm>
#include <cstring>

#include "arrays.hpp"
#include "lanes.hpp"

namespace labelrank {

// Where each kind of number starts in a row of F; -1 where it is not wanted.
struct Columns {
  int64_t l2, l1, cosine, centroid;
  size_t width;

  Columns(const std::tuple<int64_t, int64_t, int64_t, int64_t>& starts, int64_t size, int64_t k)
      : l2(std::get<0>(starts)),
        l1(std::get<1>(starts)),
        cosine(std::get<2>(starts)),
        centroid(std::get<3>(starts)),
        width(static_cast<size_t>(size)) {
    if (k < 1) throw std::invalid_argument("k must be at least 1");
    if (size < 0) throw std::invalid_argument("width must not be negative");
    for (const int64_t start : {l2, l1, cosine})
      if (start >= 0 && (start > size || size - start < k))
        throw std::invalid_argument("columns must fit in width");
    if (centroid >= 0 && size - centroid < 2)
      throw std::invalid_argument("columns must fit in width");
  }
};

// The training rows of each label, rising; the pairs to describe, query by query; the training row
// that each query is, or -1.
struct Pairs {
  In<int64_t> lists_indptr;
  In<int32_t> lists_rows;
  In<int64_t> indptr;
  In<int32_t> labels;
  In<int32_t> own;
  size_t n_train;

  void check(size_t n_queries) const {
    check_indptr(lists_indptr, lists_rows.shape(0), "lists_indptr");
    check_indices(lists_rows, static_cast<int64_t>(n_train), "lists_rows");
    check_indptr(indptr, labels.shape(0), "indptr");
    check_length(indptr.shape(0), n_queries + 1, "indptr");
    check_indices(labels, static_cast<int64_t>(lists_indptr.shape(0)) - 1, "labels");
    check_length(own.shape(0), n_queries, "own");
    for (size_t i = 0; i < n_queries; ++i)
      if (own.data()[i] < -1 || own.data()[i] >= static_cast<int64_t>(n_train))
        throw std::invalid_argument("own must lie in -1.." + std::to_string(n_train) + " - 1");
  }
};

// Distances of the sixteen queries of a block to the training rows that it needs, in their order.
// Empty where a distance is not wanted.
struct Tables {
  std::vector<Sixteen> l2, l1, cosine;
  std::vector<SixteenDoubles> dots;

  void resize(const Columns& columns, size_t n, bool with_dots) {
    if (columns.l2 >= 0 && l2.size() < n) l2.resize(n);
    if (columns.l1 >= 0 && l1.size() < n) l1.resize(n);
    if (columns.cosine >= 0 && cosine.size() < n) cosine.resize(n);
    if (with_dots && dots.size() < n) dots.resize(n);
  }
};

// Describes all pairs, block after block of sixteen queries that have any. `Form` has
//   measure(queries, needed, tables)   fills in the tables for the rows that are needed
//   label(slots, n, tables)            prepares the centroid of a label with these rows
//   centroid(lane, query, label, own, out)   writes the two distances to it
// A pair whose label has no row other than the query itself gets zeros. `rows` is null, or takes
// the numbers of the training rows, -1 where there are no more (distances are infinite there).
template <class Form>
class PairDescriber {
 public:
  PairDescriber(Form& form, const Pairs& pairs, const Columns& columns, size_t k, float* out,
                int32_t* rows)
      : form_(form),
        pairs_(pairs),
        columns_(columns),
        k_(k),
        out_(out),
        rows_(rows),
        scratch_(smallest_scratch(k)),
        slot_(pairs.n_train, -1),
        first_(pairs.lists_indptr.shape(0), -1) {}

  void run() {
    const int64_t* at = pairs_.indptr.data();
    const size_t n = pairs_.indptr.shape(0) - 1;
    for (size_t i = 0; i < n; ++i) {
      if (at[i] == at[i + 1]) continue;
      queries_.push_back(i);
      if (queries_.size() == kLanes) block();
    }
    if (!queries_.empty()) block();
  }

 private:
  struct Use {  // a pair of this block, chained to the next one of the same label
    int64_t entry;
    int32_t next;
    uint8_t lane;
    int32_t left = -1;  // the row that is left out though it is not the query, as its slot
  };

  void block() {
    uses_.clear();
    labels_.clear();
    for (size_t lane = queries_.size(); lane-- > 0;) {
      const size_t query = queries_[lane];
      for (int64_t e = pairs_.indptr.data()[query]; e < pairs_.indptr.data()[query + 1]; ++e) {
        const int32_t label = pairs_.labels.data()[e];
        if (first_[label] < 0) labels_.push_back(label);
        uses_.push_back({e, first_[label], static_cast<uint8_t>(lane), -1});
        first_[label] = static_cast<int32_t>(uses_.size()) - 1;
      }
    }
    find_needed();
    form_.measure(queries_, needed_, tables_);
    for (size_t lane = 0; lane < queries_.size(); ++lane) {
      const int32_t own = pairs_.own.data()[queries_[lane]];
      if (own < 0 || slot_[own] < 0) continue;
      for (auto* table : {&tables_.l2, &tables_.l1, &tables_.cosine})
        if (!table->empty()) (*table)[slot_[own]].lane[lane] = kAbsent;
    }
    for (const int32_t label : labels_) describe(label);
    for (const int32_t label : labels_) first_[label] = -1;
    for (const int32_t row : needed_) slot_[row] = -1;
    queries_.clear();
  }

  // Only the rows of labels that are asked for, each once; slot_ tells where in the tables.
  void find_needed() {
    needed_.clear();
    for (const int32_t label : labels_)
      for (int64_t p = list(label); p < list(label + 1); ++p)
        slot_[pairs_.lists_rows.data()[p]] = 0;
    for (size_t row = 0; row < pairs_.n_train; ++row)
      if (slot_[row] == 0) {
        slot_[row] = static_cast<int32_t>(needed_.size());
        needed_.push_back(static_cast<int32_t>(row));
      }
    tables_.resize(columns_, needed_.size(), Form::kDots && columns_.centroid >= 0);
  }

  void describe(int32_t label) {
    const int32_t* members = pairs_.lists_rows.data() + list(label);
    const size_t n = static_cast<size_t>(list(label + 1) - list(label));
    if (n == 0) {
      for (int32_t u = first_[label]; u >= 0; u = uses_[u].next) nothing(uses_[u].entry);
      return;
    }
    slots_.resize(n);
    for (size_t i = 0; i < n; ++i) slots_[i] = slot_[members[i]];
    leave_out(label, members, n);
    nearest(label, members, n, tables_.l2, columns_.l2);
    nearest(label, members, n, tables_.l1, columns_.l1);
    nearest(label, members, n, tables_.cosine, columns_.cosine);
    if (columns_.centroid < 0) return;
    form_.label(slots_.data(), n, tables_);
    for (int32_t u = first_[label]; u >= 0; u = uses_[u].next) {
      const Use& use = uses_[u];
      const size_t query = queries_[use.lane];
      const bool own = std::binary_search(members, members + n, pairs_.own.data()[query]);
      float* to = out_ + static_cast<size_t>(use.entry) * columns_.width + columns_.centroid;
      if (own && n == 1)
        to[0] = to[1] = 0;
      else
        form_.centroid(use.lane, query, label, own, n, to);
    }
  }

  // A training query is left out of its own labels, which so have a row less for it. Were that all,
  // the number and spread of the rows would tell which labels are its own: of every other label,
  // too, one row is left out, and none more than another.
  void leave_out(int32_t label, const int32_t* members, size_t n) {
    for (int32_t u = first_[label]; u >= 0 && !rows_; u = uses_[u].next) {
      const int32_t own = pairs_.own.data()[queries_[uses_[u].lane]];
      if (own >= 0 && !std::binary_search(members, members + n, own))
        uses_[u].left = slots_[static_cast<size_t>(static_cast<int64_t>(own) + label) % n];
    }
  }

  // Exchanges what stands in a table for the rows left out with what is kept aside.
  void exchange(int32_t label, std::vector<Sixteen>& table) {
    size_t at = 0;
    for (int32_t u = first_[label]; u >= 0; u = uses_[u].next) {
      if (uses_[u].left < 0) continue;
      std::swap(table[uses_[u].left].lane[uses_[u].lane], aside_[at++]);
    }
  }

  // Zeros for a label without rows; the caller knows better what is far.
  void nothing(int64_t entry) {
    const float fill = rows_ ? kAbsent : 0.0f;
    std::fill_n(out_ + static_cast<size_t>(entry) * columns_.width, columns_.width, fill);
    if (rows_) std::fill_n(rows_ + static_cast<size_t>(entry) * k_, k_, -1);
  }

  void nearest(int32_t label, const int32_t* members, size_t n, std::vector<Sixteen>& table,
               int64_t column) {
    if (column < 0) return;
    aside_.assign(kLanes, kAbsent);
    exchange(label, table);
    find_nearest(label, members, n, table, column);
    exchange(label, table);
  }

  void find_nearest(int32_t label, const int32_t* members, size_t n,
                    const std::vector<Sixteen>& table, int64_t column) {
    size_t lanes = 0;
    for (int32_t u = first_[label]; u >= 0; u = uses_[u].next) ++lanes;
    // The network works for all lanes, also for those that do not ask; both give the same numbers.
    if (rows_ || (lanes <= 2 && n > 64)) {
      for (int32_t u = first_[label]; u >= 0; u = uses_[u].next)
        one_lane(uses_[u], members, n, table.data(), column);
      return;
    }
    smallest(table.data(), slots_.data(), n, k_, scratch_.data());
    const size_t found = std::min(n, k_);
    for (int32_t u = first_[label]; u >= 0; u = uses_[u].next) {
      const size_t lane = uses_[u].lane;
      float* to = out_ + static_cast<size_t>(uses_[u].entry) * columns_.width + column;
      const size_t valid = found - (scratch_[found - 1].lane[lane] == kAbsent);
      for (size_t j = 0; j < valid; ++j) to[j] = scratch_[j].lane[lane];
      std::fill(to + valid, to + k_, valid ? to[valid - 1] : 0.0f);
    }
  }

  // The k nearest of one query by (distance, row).
  void one_lane(const Use& use, const int32_t* members, size_t n, const Sixteen* table,
                int64_t column) {
    keys_.clear();
    for (size_t i = 0; i < n; ++i) {
      int32_t bits;
      std::memcpy(&bits, table[slots_[i]].lane + use.lane, sizeof bits);
      if (bits != kAbsentBits) keys_.push_back(static_cast<int64_t>(bits) << 32 | members[i]);
    }
    const size_t valid = std::min(k_, keys_.size());
    const auto first = keys_.begin(), last = first + static_cast<std::ptrdiff_t>(valid);
    if (valid < keys_.size()) std::nth_element(first, last, keys_.end());
    std::sort(first, last);
    float* to = out_ + static_cast<size_t>(use.entry) * columns_.width + column;
    for (size_t j = 0; j < valid; ++j) {
      const int32_t bits = static_cast<int32_t>(keys_[j] >> 32);
      std::memcpy(to + j, &bits, sizeof bits);
    }
    std::fill(to + valid, to + k_, rows_ ? kAbsent : valid ? to[valid - 1] : 0.0f);
    if (!rows_) return;
    int32_t* ids = rows_ + static_cast<size_t>(use.entry) * k_;
    for (size_t j = 0; j < k_; ++j) ids[j] = j < valid ? static_cast<int32_t>(keys_[j]) : -1;
  }

  int64_t list(int32_t label) const { return pairs_.lists_indptr.data()[label]; }

  Form& form_;
  const Pairs& pairs_;
  const Columns& columns_;
  const size_t k_;
  float* out_;
  int32_t* rows_;
  Tables tables_;
  std::vector<Sixteen> scratch_;
  std::vector<int32_t> slot_, slots_, first_, labels_, needed_;
  std::vector<size_t> queries_;
  std::vector<Use> uses_;
  std::vector<int64_t> keys_;
  std::vector<float> aside_;
};

// Runs without the GIL and hands the numbers over: F (pairs, width), and rows (pairs, k) if wanted.
template <class Form>
std::pair<Out<float>, Out<int32_t>> describe_pairs(Form& form, const Pairs& pairs,
                                                   const Columns& columns, int64_t k, bool rows) {
  const size_t n = pairs.labels.shape(0), kept = static_cast<size_t>(k);
  auto out = raw<float>(n * columns.width);
  auto ids = raw<int32_t>(rows ? n * kept : 0);
  {
    nb::gil_scoped_release release;
    PairDescriber<Form>(form, pairs, columns, kept, out.get(), rows ? ids.get() : nullptr).run();
  }
  return {own(std::move(out), n, columns.width), own(std::move(ids), rows ? n : 0, kept)};
}
}  // namespace labelrank

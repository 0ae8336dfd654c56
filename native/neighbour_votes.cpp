// Things that are like one at hand, in text and in text and tags, and what tags they vote for.
#include <cmath>

#include "lists.hpp"
#include "top.hpp"

namespace labelrank {
namespace {

// A space in which things are compared: the things of each column (a term or a tag), and how many
// columns each thing has.
struct Space {
  Lists columns;
  In<int32_t> sizes;

  Space(const ListArrays& arrays, In<int32_t> s, size_t n_things)
      : columns(arrays), sizes(std::move(s)) {
    check_length(sizes.shape(0), n_things, "sizes");
  }
  // How rare a column is, squared: log((n + 1) / (n_column + 1))^2 in units of 1/4096. Whole
  // numbers add up to the same in any order.
  int32_t weight(int32_t column) const {
    const double rare = std::log((static_cast<double>(sizes.shape(0)) + 1) /
                                 (static_cast<double>(columns.size(column)) + 1));
    return rare > 0 ? static_cast<int32_t>(std::floor(4096 * rare * rare + 0.5)) : 0;
  }
};

// Adds up the weights that things share with one at hand, a dense array of sums for each space.
// Blocks of things that nobody touched are neither compared nor cleared.
class Nearest {
 public:
  static constexpr size_t kBlock = 64;
  static constexpr size_t kMostColumns = 1024;  // sums stay below 2^31

  Nearest(const Space& text, const Space& tags, size_t n, int64_t budget, float share)
      : text_(text), tags_(tags), n_(n), budget_(budget), share_(share) {
    // Zero between two calls; after an error they are not.
    if (dirty_ || sums_[0].size() < n)
      for (auto& sums : sums_) sums.assign(n, 0);
    if (dirty_ || touched_.size() < n / kBlock + 1) touched_.assign(n / kBlock + 1, 0);
    if (like_[0].size() < n)
      for (auto& like : like_) like.resize(n);
    dirty_ = true;
  }

  // The k things that are most like it in text (s = 0) and in text and tags (s = 1).
  template <class Found>
  void of(Span terms, Span tags, int64_t skip, size_t k, Found&& found) {
    const float by_text = add(text_, terms, sums_[0]), by_tags = add(tags_, tags, sums_[1]);
    compare(by_text, by_tags, skip);
    const float zero = 0;
    for (int s = 0; s < 2; ++s)
      found(s, best_.select<kBlock>(like_[s].data(), n_, 2 * k + 1, &zero, touched_.data()));
    clear();
  }
  void done() { dirty_ = false; }

 private:
  // Rare columns first, so long as their postings are within the budget; of equally rare ones all
  // or none. Returns sqrt(n_q) / (the weight of all columns at hand).
  float add(const Space& space, Span columns, std::vector<int32_t>& sums) {
    order_.clear();
    int64_t all = 0;
    for (const int32_t c : columns) {
      if (!space.columns.has(c)) throw std::invalid_argument("a term or tag is not known");
      if (space.columns.size(c) == 0) continue;  // a name that no thing has is as good as unknown
      order_.push_back(c);
      all += space.weight(c);
    }
    std::sort(order_.begin(), order_.end(),
              [&](int32_t a, int32_t b) { return space.columns.size(a) < space.columns.size(b); });
    int64_t spent = 0;
    for (size_t i = 0, end; i < order_.size(); i = end) {
      const int32_t size = space.columns.size(order_[i]);
      for (end = i; end < order_.size() && space.columns.size(order_[end]) == size;) ++end;
      spent += static_cast<int64_t>(size) * static_cast<int64_t>(end - i);
      if (spent > budget_ || end > kMostColumns) break;
      for (size_t j = i; j < end; ++j) {
        const int32_t weight = space.weight(order_[j]);
        if (weight == 0) continue;
        for (const int32_t thing : space.columns[order_[j]]) {
          if (thing < 0 || static_cast<size_t>(thing) >= n_)
            throw std::invalid_argument("a term or tag has a thing that is not known");
          sums[static_cast<size_t>(thing)] += weight;
          touched_[static_cast<size_t>(thing) / kBlock] = 1;
        }
      }
    }
    return all > 0 ? static_cast<float>(std::sqrt(static_cast<double>(order_.size())) /
                                        static_cast<double>(all))
                   : 0.0f;
  }

  void compare(float by_text, float by_tags, int64_t skip) {
    for (size_t block = 0; block * kBlock < n_; ++block) {
      if (!touched_[block]) continue;
      const size_t start = block * kBlock, size = std::min(kBlock, n_ - start);
      float* in_text = like_[0].data() + start;
      float* in_both = like_[1].data() + start;
      likeness(size, by_text, text_.sizes.data() + start, sums_[0].data() + start, in_text);
      likeness(size, by_tags, tags_.sizes.data() + start, sums_[1].data() + start, in_both);
      for (size_t i = 0; i < size; ++i)
        in_both[i] = share_ * in_text[i] + (1 - share_) * in_both[i];
    }
    if (skip >= 0)
      for (auto& like : like_) like[static_cast<size_t>(skip)] = 0;
  }
  static void likeness(size_t n, float by, const int32_t* sizes, const int32_t* sums, float* like) {
    for (size_t i = 0; i < n; ++i)
      like[i] =
          by * static_cast<float>(sums[i]) / std::sqrt(static_cast<float>(std::max(sizes[i], 1)));
  }

  void clear() {
    for (size_t block = 0; block * kBlock < n_; ++block) {
      if (!touched_[block]) continue;
      const size_t start = block * kBlock, size = std::min(kBlock, n_ - start);
      for (auto& sums : sums_) std::fill_n(sums.begin() + static_cast<ptrdiff_t>(start), size, 0);
      touched_[block] = 0;
    }
  }

  const Space& text_;
  const Space& tags_;
  size_t n_;
  int64_t budget_;
  float share_;
  std::vector<int32_t> order_;
  Best<float> best_;
  inline static thread_local std::vector<int32_t> sums_[2];
  inline static thread_local std::vector<float> like_[2];
  inline static thread_local std::vector<uint8_t> touched_;
  inline static thread_local bool dirty_ = false;
};

// How many of a list, nearest first, are the k nearest: those tied with the k-th too, but where
// they would make it more than 2k those above them alone. So it does not depend on numbering.
template <class Like>
size_t cut(size_t n, size_t k, Like&& like) {
  if (n <= k) return n;
  size_t end = k;
  while (end < n && like(end) == like(k - 1)) ++end;
  if (end <= 2 * k) return end;
  end = k - 1;
  while (end > 0 && like(end - 1) == like(k - 1)) --end;
  return end;
}

// The k nearest things of each row, nearest first: (row pointer, things, likeness) in text, then
// the same in text and tags together, share * text + (1 - share) * tags. The likeness of d to q is
// the share of q's weight that is of columns which d has, times sqrt(n_q / n_d).
//
// Rows have distinct tags and terms; `skip` is a thing that does not count for a row, or -1.
std::tuple<Out<int64_t>, Out<int32_t>, Out<float>, Out<int64_t>, Out<int32_t>, Out<float>>
nearest_things(ListArrays term_things, In<int32_t> term_sizes, ListArrays tag_things,
               In<int32_t> tag_sizes, In<int64_t> text_indptr, In<int32_t> terms,
               In<int64_t> tag_indptr, In<int32_t> tags, In<int64_t> skip, int64_t k,
               int64_t budget, double share) {
  const size_t n_things = term_sizes.shape(0);
  const Space text(term_things, term_sizes, n_things);
  const Space tagged(tag_things, tag_sizes, n_things);
  check_indptr(text_indptr, terms.shape(0), "text_indptr");
  check_indptr(tag_indptr, tags.shape(0), "tag_indptr");
  check_length(tag_indptr.shape(0), text_indptr.shape(0), "tag_indptr");
  const size_t n = text_indptr.shape(0) - 1;
  check_length(skip.shape(0), n, "skip");
  for (size_t i = 0; i < n; ++i)
    if (skip.data()[i] >= static_cast<int64_t>(n_things))
      throw std::invalid_argument("skip has a thing that is not known");
  if (k < 1) throw std::invalid_argument("k must be at least 1");
  if (!(share >= 0 && share <= 1)) throw std::invalid_argument("share must lie in 0..1");
  std::vector<int64_t> indptr[2] = {{0}, {0}};
  std::vector<int32_t> things[2];
  std::vector<float> likes[2];
  {
    nb::gil_scoped_release release;
    const size_t most = static_cast<size_t>(std::min<int64_t>(k, 1 << 20));
    Nearest nearest(text, tagged, n_things, budget, static_cast<float>(share));
    for (size_t i = 0; i < n; ++i) {
      const Span of_row{terms.data() + text_indptr.data()[i],
                        terms.data() + text_indptr.data()[i + 1]};
      const Span own{tags.data() + tag_indptr.data()[i], tags.data() + tag_indptr.data()[i + 1]};
      nearest.of(of_row, own, skip.data()[i], most, [&](int s, const auto& best) {
        const size_t kept = cut(best.size(), most, [&](size_t j) { return best[j].score; });
        for (size_t j = 0; j < kept; ++j) {
          things[s].push_back(best[j].label);
          likes[s].push_back(best[j].score);
        }
        indptr[s].push_back(static_cast<int64_t>(things[s].size()));
      });
    }
    nearest.done();
  }
  return {own(std::move(indptr[0])), own(std::move(things[0])), own(std::move(likes[0])),
          own(std::move(indptr[1])), own(std::move(things[1])), own(std::move(likes[1]))};
}

// The tags of each row's k nearest things, each once and none that the row has.
std::tuple<Out<int64_t>, Out<int32_t>> nearest_tags(ListArrays thing_tags, int32_t n_tags,
                                                    In<int64_t> near_indptr, In<int32_t> things,
                                                    In<float> likes, In<int64_t> tag_indptr,
                                                    In<int32_t> tags, int64_t k) {
  const Lists of_things(thing_tags);
  check_indptr(near_indptr, things.shape(0), "near_indptr");
  check_length(likes.shape(0), things.shape(0), "likeness");
  check_indptr(tag_indptr, tags.shape(0), "tag_indptr");
  check_length(tag_indptr.shape(0), near_indptr.shape(0), "tag_indptr");
  check_indices(tags, n_tags, "tags");
  if (k < 1) throw std::invalid_argument("k must be at least 1");
  std::vector<int64_t> indptr(1, 0);
  std::vector<int32_t> found;
  {
    nb::gil_scoped_release release;
    for (size_t i = 0; i + 1 < near_indptr.shape(0); ++i) {
      const int64_t first = near_indptr.data()[i];
      const size_t size = static_cast<size_t>(near_indptr.data()[i + 1] - first);
      const float* like = likes.data() + first;
      const size_t end = cut(size, static_cast<size_t>(k), [&](size_t e) { return like[e]; });
      const size_t start = found.size();
      for (size_t e = 0; e < end; ++e)
        for (const int32_t tag : of_things[things.data()[first + static_cast<int64_t>(e)]]) {
          if (tag < 0 || tag >= n_tags) throw std::invalid_argument("a thing has an unknown tag");
          found.push_back(tag);
        }
      const auto begin = found.begin() + static_cast<ptrdiff_t>(start);
      std::sort(begin, found.end());
      const int32_t* given = tags.data() + tag_indptr.data()[i];
      const int32_t* last = tags.data() + tag_indptr.data()[i + 1];
      const auto kept = std::remove_if(begin, std::unique(begin, found.end()), [&](int32_t t) {
        return std::find(given, last, t) != last;
      });
      found.erase(kept, found.end());
      indptr.push_back(static_cast<int64_t>(found.size()));
    }
  }
  return {own(std::move(indptr)), own(std::move(found))};
}

// What the nearest things say of each candidate: for each k the share of their likeness that is of
// things with the tag, and the largest likeness of one. Returns (n_candidates, len(ks) + 1).
Out<float> neighbour_votes(ListArrays thing_tags, int32_t n_tags, In<int64_t> near_indptr,
                           In<int32_t> things, In<float> likes, In<int64_t> indptr,
                           In<int32_t> candidates, In<int64_t> ks) {
  const Lists of_things(thing_tags);
  check_indptr(near_indptr, things.shape(0), "near_indptr");
  check_length(likes.shape(0), things.shape(0), "likes");
  check_indptr(indptr, candidates.shape(0), "indptr");
  check_length(indptr.shape(0), near_indptr.shape(0), "indptr");
  check_indices(candidates, n_tags, "candidates");
  const size_t n = indptr.shape(0) - 1, m = ks.shape(0), width = m + 1;
  for (size_t j = 0; j < m; ++j)
    if (ks.data()[j] < 1) throw std::invalid_argument("ks must be at least 1");
  auto votes = raw<float>(candidates.shape(0) * width);
  std::fill_n(votes.get(), candidates.shape(0) * width, 0.0f);
  {
    nb::gil_scoped_release release;
    std::vector<size_t> ends(m);
    std::vector<float> totals(m);
    // -1 between two calls, kept from call to call: filling it would cost more than a row.
    thread_local std::vector<int32_t> slots;
    if (slots.size() < static_cast<size_t>(n_tags)) slots.assign(static_cast<size_t>(n_tags), -1);
    for (size_t i = 0; i < n; ++i) {
      const int64_t first = indptr.data()[i], last = indptr.data()[i + 1];
      const int32_t* near = things.data() + near_indptr.data()[i];
      const float* like = likes.data() + near_indptr.data()[i];
      const size_t size = static_cast<size_t>(near_indptr.data()[i + 1] - near_indptr.data()[i]);
      for (size_t j = 0; j < m; ++j) {
        ends[j] = cut(size, static_cast<size_t>(ks.data()[j]), [&](size_t e) { return like[e]; });
        totals[j] = 0;
        for (size_t e = 0; e < ends[j]; ++e) totals[j] += like[e];
      }
      for (int64_t c = first; c < last; ++c)
        slots[static_cast<size_t>(candidates.data()[c])] = static_cast<int32_t>(c - first);
      bool good = true;
      for (size_t e = 0; e < size && good; ++e) {
        good = of_things.has(near[e]);
        if (!good) break;
        for (const int32_t tag : of_things[near[e]]) {
          if (tag < 0 || tag >= n_tags || slots[static_cast<size_t>(tag)] < 0) continue;
          float* v = votes.get() + (static_cast<size_t>(first) + slots[tag]) * width;
          for (size_t j = 0; j < m; ++j)
            if (e < ends[j]) v[j] += like[e];
          v[m] = std::max(v[m], like[e]);
        }
      }
      for (int64_t c = first; c < last; ++c) {
        slots[static_cast<size_t>(candidates.data()[c])] = -1;
        float* v = votes.get() + static_cast<size_t>(c) * width;
        for (size_t j = 0; j < m; ++j)
          if (totals[j] > 0) v[j] /= totals[j];
      }
      if (!good) throw std::invalid_argument("a nearest thing is not known");
    }
  }
  return own(std::move(votes), candidates.shape(0), width);
}
}  // namespace

void bind_neighbour_votes(nb::module_& m) {
  using nb::arg;
  m.def("nearest_things", &nearest_things, arg("term_things"), arg("term_sizes").noconvert(),
        arg("tag_things"), arg("tag_sizes").noconvert(), arg("text_indptr").noconvert(),
        arg("terms").noconvert(), arg("tag_indptr").noconvert(), arg("tags").noconvert(),
        arg("skip").noconvert(), arg("k"), arg("budget"), arg("share"));
  m.def("nearest_tags", &nearest_tags, arg("thing_tags"), arg("n_tags"),
        arg("near_indptr").noconvert(), arg("things").noconvert(), arg("likeness").noconvert(),
        arg("tag_indptr").noconvert(), arg("tags").noconvert(), arg("k"));
  m.def("neighbour_votes", &neighbour_votes, arg("thing_tags"), arg("n_tags"),
        arg("near_indptr").noconvert(), arg("things").noconvert(), arg("likeness").noconvert(),
        arg("indptr").noconvert(), arg("candidates").noconvert(), arg("ks").noconvert());
}
}  // namespace labelrank

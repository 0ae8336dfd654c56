// Candidates C_o of things and their metrics (paper 001, Table I), in one pass.
#include "rules.hpp"

namespace labelrank {
namespace {
enum Metric {
  kSum1,
  kSum3,
  kSumPlus,
  kVote,
  kVotePlus,
  kTS,
  kTF,
  kWTS,
  kWTF,
  kIFF,
  kStab,
  kH,
  kPred,
  kMetrics
};

// What is known of tags and terms beside their lists.
struct Statistics {
  In<double> entropies;    // of each tag
  In<int32_t> both;        // things that have the tag, and its term in a text
  In<int32_t> tag_terms;   // the term of each tag, or -1
  In<int32_t> term_sizes;  // things that have the term in a text
  In<double> spreads;      // AFS of each field
};

struct Parameters {
  RuleLimits rules;
  double k_x, k_c, k_r, k_s;
  int32_t most;  // candidates kept of a thing; the best by alpha Sum + (1 - alpha) wTS
  double alpha;
};

struct Candidate {
  int32_t tag;
  double stab;
  double v[kMetrics];
};

double stability(double k, int32_t uses) {
  return uses > 0 ? k / (k + std::fabs(k - std::log(static_cast<double>(uses)))) : 0;
}

class Describer {
 public:
  Describer(const Lists& uses, const Lists& tags, const Lists& term_tags, const Statistics& known,
            const Parameters& p)
      : uses_(uses), term_tags_(term_tags), known_(known), p_(p), rules_(uses, tags, p.rules) {
    if (slots_.size() < uses.n()) slots_.assign(uses.n(), -1);
  }

  // The candidates of a thing with some tags, and terms with a count for each field: the best of
  // those found, or the given ones.
  const std::vector<Candidate>& of(Span own, Span terms, const int32_t* counts, const Span* given) {
    for (const Candidate& c : found_) slots_[static_cast<size_t>(c.tag)] = -1;
    found_.clear();
    rules_.begin(own);
    rules_.each(own, [&](const Rules::Antecedent& x) { add(x); });
    const size_t fields = known_.spreads.shape(0);
    for (size_t t = 0; t < terms.size(); ++t)
      for (const int32_t tag : term_tags_[terms[t]]) {
        if (!uses_.has(tag)) throw std::invalid_argument("a term has a tag that is not known");
        if (uses_.size(tag) && !rules_.own(tag)) add(at(tag), counts + t * fields, fields);
      }
    rules_.done(own);
    if (given) {
      keep(*given);
    } else {
      keep_best();
    }
    for (Candidate& c : found_) finish(c);
    return found_;
  }
  ~Describer() {
    for (const Candidate& c : found_) slots_[static_cast<size_t>(c.tag)] = -1;
  }

 private:
  Candidate& at(int32_t tag) {
    int32_t& slot = slots_[static_cast<size_t>(tag)];
    if (slot < 0) {
      slot = static_cast<int32_t>(found_.size());
      found_.push_back({tag, stability(p_.k_c, uses_.size(tag)), {}});
    }
    return found_[static_cast<size_t>(slot)];
  }

  void add(const Rules::Antecedent& x) {
    const bool single = x.size == 1;
    if (single) places(x);
    const double stab = single ? stability(p_.k_x, x.things) : 0;
    for (const int32_t tag : x.consequents) {
      const int32_t n = x.counts[tag];
      if (!rule(n, x.things)) continue;
      Candidate& c = at(tag);
      const double share = static_cast<double>(n) / x.things;
      c.v[kSum3] += share;
      if (!single) continue;
      const double weight = stab * c.stab * p_.k_r / (p_.k_r + place_[static_cast<size_t>(n)]);
      c.v[kSum1] += share;
      c.v[kSumPlus] += share * weight;
      c.v[kVote] += 1;
      c.v[kVotePlus] += weight;
    }
  }
  bool rule(int32_t n, int32_t things) const {
    return n >= p_.rules.support && n <= things && n >= p_.rules.confidence * things;
  }

  // p(c, x) for each count of x and c: 1 and how many candidates have a larger confidence.
  void places(const Rules::Antecedent& x) {
    place_.assign(static_cast<size_t>(x.things) + 2, 0);
    for (const int32_t tag : x.consequents)
      if (rule(x.counts[tag], x.things)) ++place_[static_cast<size_t>(x.counts[tag])];
    int32_t above = 0;
    for (size_t n = place_.size(); n-- > 0;) {
      const int32_t here = place_[n];
      place_[n] = above + 1;
      above += here;
    }
  }

  void add(Candidate& c, const int32_t* counts, size_t fields) {
    for (size_t f = 0; f < fields; ++f) {
      if (counts[f] <= 0) continue;
      const double spread = known_.spreads.data()[f];
      c.v[kTS] += 1;
      c.v[kTF] += counts[f];
      c.v[kWTS] += spread;
      c.v[kWTF] += counts[f] * spread;
    }
  }

  // Ties at the cut: the more used tag, then the smaller number.
  void keep_best() {
    const size_t most = static_cast<size_t>(p_.most);
    if (p_.most < 1 || found_.size() <= most) return;
    auto worth = [&](const Candidate& c) {
      return p_.alpha * c.v[kSum3] + (1 - p_.alpha) * c.v[kWTS];
    };
    auto better = [&](const Candidate& a, const Candidate& b) {
      const double wa = worth(a), wb = worth(b);
      if (wa != wb) return wa > wb;
      const int32_t ua = uses_.size(a.tag), ub = uses_.size(b.tag);
      return ua != ub ? ua > ub : a.tag < b.tag;
    };
    for (const Candidate& c : found_) slots_[static_cast<size_t>(c.tag)] = -1;
    std::nth_element(found_.begin(), found_.begin() + static_cast<ptrdiff_t>(most), found_.end(),
                     better);
    found_.resize(most, {});
    std::sort(found_.begin(), found_.end(),
              [](const Candidate& a, const Candidate& b) { return a.tag < b.tag; });
    for (size_t i = 0; i < found_.size(); ++i)
      slots_[static_cast<size_t>(found_[i].tag)] = static_cast<int32_t>(i);
  }

  void keep(Span given) {
    std::vector<Candidate> kept;
    kept.reserve(given.size());
    for (const int32_t tag : given) {
      const int32_t slot = slots_[static_cast<size_t>(tag)];
      kept.push_back(slot < 0 ? Candidate{tag, 0, {}} : found_[static_cast<size_t>(slot)]);
    }
    for (const Candidate& c : found_) slots_[static_cast<size_t>(c.tag)] = -1;
    found_.swap(kept);
  }

  void finish(Candidate& c) const {
    const size_t tag = static_cast<size_t>(c.tag);
    const int32_t uses = uses_.size(c.tag), term = known_.tag_terms.data()[tag];
    const double in_text = term < 0 ? 0 : known_.term_sizes.data()[term];
    c.v[kIFF] = inverse_frequency_ - std::log(uses + 1.0);
    c.v[kStab] = stability(p_.k_s, uses);
    c.v[kH] = known_.entropies.data()[tag];
    c.v[kPred] = in_text > 0 ? known_.both.data()[tag] / in_text : 0;
  }

  const Lists& uses_;
  const Lists& term_tags_;
  const Statistics& known_;
  const Parameters& p_;
  Rules rules_;
  std::vector<Candidate> found_;
  std::vector<int32_t> place_;
  inline static thread_local std::vector<int32_t> slots_;  // -1 between two calls

 public:
  double inverse_frequency_ = 0;  // log(|D| + 1)
};

// Returns (row pointer, tags, metrics (n_candidates, 13)) of the candidates of each row. Rows have
// distinct tags and distinct terms; text_counts has a column for each field. With given candidates
// (a row pointer that is not empty) these are described, whatever would be found.
std::tuple<Out<int64_t>, Out<int32_t>, Out<float>> tag_relevance(
    ListArrays uses, ListArrays tags, ListArrays term_tags, In<double> entropies, In<int32_t> both,
    In<int32_t> tag_terms, In<int32_t> term_sizes, In<double> spreads, In<int64_t> tag_indptr,
    In<int32_t> row_tags, In<int64_t> text_indptr, In<int32_t> text_terms, In2<int32_t> text_counts,
    std::tuple<int32_t, int32_t, double, int32_t> limits,
    std::tuple<double, double, double, double> tuning, int32_t most, double alpha,
    In<int64_t> given_indptr, In<int32_t> given) {
  const Lists of_tags(uses), of_things(tags), of_terms(term_tags);
  const size_t n_tags = of_tags.n(), n_terms = of_terms.n();
  check_length(entropies.shape(0), n_tags, "entropies");
  check_length(both.shape(0), n_tags, "both");
  check_length(tag_terms.shape(0), n_tags, "tag_terms");
  check_length(term_sizes.shape(0), n_terms, "term_sizes");
  check_indptr(tag_indptr, row_tags.shape(0), "tag_indptr");
  check_indptr(text_indptr, text_terms.shape(0), "text_indptr");
  check_length(text_indptr.shape(0), tag_indptr.shape(0), "text_indptr");
  check_length(text_counts.shape(0), text_terms.shape(0), "text_counts");
  check_length(text_counts.shape(1), spreads.shape(0), "a row of text_counts");
  const Parameters p{
      {std::get<0>(limits), std::get<1>(limits), std::get<2>(limits), std::get<3>(limits)},
      std::get<0>(tuning),
      std::get<1>(tuning),
      std::get<2>(tuning),
      std::get<3>(tuning),
      most,
      alpha};
  p.rules.check();
  if (!(p.k_x > 0 && p.k_c > 0 && p.k_r > 0 && p.k_s > 0))
    throw std::invalid_argument("tuning parameters must be above 0");
  const size_t n = tag_indptr.shape(0) - 1;
  const bool chosen = given_indptr.shape(0) > 0;
  if (chosen) {
    check_indptr(given_indptr, given.shape(0), "given_indptr");
    check_length(given_indptr.shape(0), n + 1, "given_indptr");
    check_indices(given, static_cast<int64_t>(n_tags), "given");
  }
  std::vector<int64_t> indptr(1, 0);
  std::vector<int32_t> labels;
  std::vector<float> values;
  {
    nb::gil_scoped_release release;
    for (size_t t = 0; t < n_tags; ++t)  // followed for candidates only: one pass is cheaper
      if (tag_terms.data()[t] >= static_cast<int64_t>(n_terms))
        throw std::invalid_argument("a tag has a term that is not known");
    const Statistics known{entropies, both, tag_terms, term_sizes, spreads};
    Describer describer(of_tags, of_things, of_terms, known, p);
    describer.inverse_frequency_ = std::log(static_cast<double>(of_things.n()) + 1);
    for (size_t i = 0; i < n; ++i) {
      const int64_t a = tag_indptr.data()[i], b = tag_indptr.data()[i + 1];
      const int64_t s = text_indptr.data()[i], e = text_indptr.data()[i + 1];
      const Span wanted{chosen ? given.data() + given_indptr.data()[i] : nullptr,
                        chosen ? given.data() + given_indptr.data()[i + 1] : nullptr};
      const auto& found =
          describer.of({row_tags.data() + a, row_tags.data() + b},
                       {text_terms.data() + s, text_terms.data() + e},
                       text_counts.data() + static_cast<size_t>(s) * spreads.shape(0),
                       chosen ? &wanted : nullptr);
      for (const Candidate& c : found) {
        labels.push_back(c.tag);
        for (const double v : c.v) values.push_back(static_cast<float>(v));
      }
      indptr.push_back(static_cast<int64_t>(labels.size()));
    }
  }
  const size_t total = labels.size();
  auto F = raw<float>(values.size());
  std::copy(values.begin(), values.end(), F.get());
  return {own(std::move(indptr)), own(std::move(labels)), own(std::move(F), total, kMetrics)};
}
}  // namespace

void bind_tag_relevance(nb::module_& m) {
  using nb::arg;
  m.def("tag_relevance", &tag_relevance, arg("uses").noconvert(), arg("tags").noconvert(),
        arg("term_tags").noconvert(), arg("entropies").noconvert(), arg("both").noconvert(),
        arg("tag_terms").noconvert(), arg("term_sizes").noconvert(), arg("spreads").noconvert(),
        arg("tag_indptr").noconvert(), arg("row_tags").noconvert(), arg("text_indptr").noconvert(),
        arg("text_terms").noconvert(), arg("text_counts").noconvert(), arg("limits"), arg("tuning"),
        arg("most"), arg("alpha"), arg("given_indptr").noconvert(), arg("given").noconvert());
}
}  // namespace labelrank

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
  double v[kMetrics];
};

double stability(double k, int32_t uses) {
  return uses > 0 ? k / (k + std::fabs(k - std::log(static_cast<double>(uses)))) : 0;
}

// A thing may have thousands of candidates, of which the best are described. So rules are gone
// through once for what candidates are worth, and what they say of a candidate is written down in
// passing; then the metrics are added up for those that stay.
class Describer {
 public:
  Describer(const Lists& uses, const Lists& tags, const Lists& term_tags, const Statistics& known,
            const Parameters& p)
      : uses_(uses),
        term_tags_(term_tags),
        known_(known),
        p_(p),
        log_things_(std::log(static_cast<double>(tags.n()) + 1)),
        rules_(uses, tags, p.rules) {
    if (slots_.size() < uses.n()) slots_.assign(uses.n(), -1);
  }
  ~Describer() { forget(); }

  // The candidates of a thing with some tags, and terms with a count for each field: the best of
  // those found and the given ones, or only these.
  const std::vector<Candidate>& of(Span own, Span terms, const int32_t* counts, const Span* given,
                                   bool only) {
    forget();
    rules_.begin(own);
    rules_.each(own, [&](const Rules::Antecedent& x) { note(x); });
    const size_t fields = known_.spreads.shape(0);
    for (size_t t = 0; t < terms.size(); ++t)
      for (const int32_t tag : term_tags_[terms[t]]) {
        if (!uses_.has(tag)) throw std::invalid_argument("a term has a tag that is not known");
        if (uses_.size(tag) && !rules_.own(tag)) note(at(tag), counts + t * fields, fields);
      }
    if (given && !only)
      for (const int32_t tag : *given)
        if (uses_.size(tag) && !rules_.own(tag)) stays_[at(tag)] = 1;
    rules_.done(own);
    kept_.clear();
    if (given && only) {
      for (const int32_t tag : *given) keep(tag, slots_[static_cast<size_t>(tag)]);
    } else {
      keep_best();
    }
    describe(fields);
    return kept_;
  }

 private:
  struct Single {  // a rule x -> c of one tag x
    int32_t slot, count;
  };
  struct Antecedent {  // an x: its rules end in `singles_`, its places in `places_`
    size_t rules_end, places;
    int32_t things;
  };
  struct Said {  // a candidate in the texts
    size_t slot;
    const int32_t* counts;
  };

  void forget() {
    for (const int32_t tag : tags_) slots_[static_cast<size_t>(tag)] = -1;
    tags_.clear();
    sums_.clear();
    spreads_.clear();
    stays_.clear();
    singles_.clear();
    places_.clear();
    antecedents_.clear();
    said_.clear();
  }

  size_t at(int32_t tag) {
    int32_t& slot = slots_[static_cast<size_t>(tag)];
    if (slot < 0) {
      slot = static_cast<int32_t>(tags_.size());
      tags_.push_back(tag);
      sums_.push_back(0);
      spreads_.push_back(0);
      stays_.push_back(0);
    }
    return static_cast<size_t>(slot);
  }

  // p(c, x) follows from the count of x and c: 1 and how many candidates have a larger one.
  void note(const Rules::Antecedent& x) {
    const bool single = x.size == 1;
    const size_t places = places_.size();
    if (single) places_.resize(places + static_cast<size_t>(x.things) + 1, 0);
    for (const int32_t tag : x.consequents) {
      const int32_t n = x.counts[tag];
      if (n < p_.rules.support || n > x.things || n < p_.rules.confidence * x.things) continue;
      const size_t slot = at(tag);
      sums_[slot] += static_cast<double>(n) / x.things;
      if (!single) continue;
      singles_.push_back({static_cast<int32_t>(slot), n});
      ++places_[places + static_cast<size_t>(n)];
    }
    if (!single) return;
    int32_t above = 0;
    for (size_t n = places_.size(); n-- > places;) {
      const int32_t here = places_[n];
      places_[n] = above + 1;
      above += here;
    }
    antecedents_.push_back({singles_.size(), places, x.things});
  }

  void note(size_t slot, const int32_t* counts, size_t fields) {
    said_.push_back({slot, counts});
    for (size_t f = 0; f < fields; ++f)
      if (counts[f] > 0) spreads_[slot] += known_.spreads.data()[f];
  }

  void keep(int32_t tag, int32_t slot) {
    kept_.push_back({tag, {}});
    if (slot >= 0) kept_.back().v[kSum3] = sums_[static_cast<size_t>(slot)];
  }

  // Ties at the cut: the more used tag, then the smaller number.
  void keep_best() {
    order_.resize(tags_.size());
    std::iota(order_.begin(), order_.end(), 0);
    const size_t most = static_cast<size_t>(p_.most);
    if (p_.most > 0 && order_.size() > most) {
      for (size_t i = 0; i < sums_.size(); ++i)
        spreads_[i] = p_.alpha * sums_[i] + (1 - p_.alpha) * spreads_[i];
      const auto better = [&](int32_t a, int32_t b) {
        const double wa = spreads_[static_cast<size_t>(a)], wb = spreads_[static_cast<size_t>(b)];
        if (wa != wb) return wa > wb;
        const int32_t ta = tags_[static_cast<size_t>(a)], tb = tags_[static_cast<size_t>(b)];
        const int32_t ua = uses_.size(ta), ub = uses_.size(tb);
        return ua != ub ? ua > ub : ta < tb;
      };
      const auto rest = order_.begin() + static_cast<ptrdiff_t>(most);
      std::nth_element(order_.begin(), rest, order_.end(), better);
      order_.erase(std::remove_if(rest, order_.end(),
                                  [&](int32_t i) { return !stays_[static_cast<size_t>(i)]; }),
                   order_.end());
      std::sort(order_.begin(), order_.end());
    }
    for (const int32_t slot : order_) keep(tags_[static_cast<size_t>(slot)], slot);
  }

  void describe(size_t fields) {
    number_.assign(tags_.size(), -1);  // where in kept_ a candidate is
    for (size_t i = 0; i < kept_.size(); ++i) {
      const int32_t slot = slots_[static_cast<size_t>(kept_[i].tag)];
      if (slot >= 0) number_[static_cast<size_t>(slot)] = static_cast<int32_t>(i);
      finish(kept_[i]);
    }
    size_t rule = 0;
    for (const Antecedent& x : antecedents_) {
      const double stab = stability(p_.k_x, x.things);
      for (; rule < x.rules_end; ++rule) {
        const int32_t i = number_[static_cast<size_t>(singles_[rule].slot)];
        if (i < 0) continue;
        Candidate& c = kept_[static_cast<size_t>(i)];
        const int32_t n = singles_[rule].count;
        const double share = static_cast<double>(n) / x.things;
        const double weight = stab * stabilities_[static_cast<size_t>(i)] * p_.k_r /
                              (p_.k_r + places_[x.places + static_cast<size_t>(n)]);
        c.v[kSum1] += share;
        c.v[kSumPlus] += share * weight;
        c.v[kVote] += 1;
        c.v[kVotePlus] += weight;
      }
    }
    for (const Said& s : said_) {
      const int32_t i = number_[s.slot];
      for (size_t f = 0; i >= 0 && f < fields; ++f) {
        if (s.counts[f] <= 0) continue;
        double* v = kept_[static_cast<size_t>(i)].v;
        const double spread = known_.spreads.data()[f];
        v[kTS] += 1;
        v[kTF] += s.counts[f];
        v[kWTS] += spread;
        v[kWTF] += s.counts[f] * spread;
      }
    }
  }

  void finish(Candidate& c) {
    const size_t tag = static_cast<size_t>(c.tag);
    const int32_t uses = uses_.size(c.tag), term = known_.tag_terms.data()[tag];
    const double in_text = term < 0 ? 0 : known_.term_sizes.data()[term];
    c.v[kIFF] = log_things_ - std::log(uses + 1.0);
    c.v[kStab] = stability(p_.k_s, uses);
    c.v[kH] = known_.entropies.data()[tag];
    c.v[kPred] = in_text > 0 ? known_.both.data()[tag] / in_text : 0;
    const size_t i = static_cast<size_t>(&c - kept_.data());
    if (stabilities_.size() < kept_.size()) stabilities_.resize(kept_.size());
    stabilities_[i] = stability(p_.k_c, uses);
  }

  const Lists& uses_;
  const Lists& term_tags_;
  const Statistics& known_;
  const Parameters& p_;
  const double log_things_;
  Rules rules_;
  // Of each candidate: its tag, Sum, wTS and whether it stays whatever it is worth.
  std::vector<int32_t> tags_;
  std::vector<double> sums_, spreads_;
  std::vector<uint8_t> stays_;
  std::vector<Single> singles_;
  std::vector<int32_t> places_, order_, number_;
  std::vector<Antecedent> antecedents_;
  std::vector<Said> said_;
  std::vector<Candidate> kept_;
  std::vector<double> stabilities_;                        // Stab(c, k_c) of those kept
  inline static thread_local std::vector<int32_t> slots_;  // -1 between two calls
};

// Returns (row pointer, tags, metrics (n_candidates, 13)) of the candidates of each row. Rows have
// distinct tags and distinct terms; text_counts has a column for each field. Given candidates (a
// row pointer that is not empty) are described too, or with `only` no others.
std::tuple<Out<int64_t>, Out<int32_t>, Out<float>> tag_relevance(
    ListArrays uses, ListArrays tags, ListArrays term_tags, In<double> entropies, In<int32_t> both,
    In<int32_t> tag_terms, In<int32_t> term_sizes, In<double> spreads, In<int64_t> tag_indptr,
    In<int32_t> row_tags, In<int64_t> text_indptr, In<int32_t> text_terms, In2<int32_t> text_counts,
    std::tuple<int32_t, int32_t, double, int32_t> limits,
    std::tuple<double, double, double, double> tuning, int32_t most, double alpha,
    In<int64_t> given_indptr, In<int32_t> given, bool only) {
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
    for (size_t i = 0; i < n; ++i) {
      const int64_t a = tag_indptr.data()[i], b = tag_indptr.data()[i + 1];
      const int64_t s = text_indptr.data()[i], e = text_indptr.data()[i + 1];
      const Span wanted{chosen ? given.data() + given_indptr.data()[i] : nullptr,
                        chosen ? given.data() + given_indptr.data()[i + 1] : nullptr};
      const auto& found =
          describer.of({row_tags.data() + a, row_tags.data() + b},
                       {text_terms.data() + s, text_terms.data() + e},
                       text_counts.data() + static_cast<size_t>(s) * spreads.shape(0),
                       chosen ? &wanted : nullptr, only);
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
        arg("most"), arg("alpha"), arg("given_indptr").noconvert(), arg("given").noconvert(),
        arg("only"));
}
}  // namespace labelrank

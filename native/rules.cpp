// Association rules of one thing, and the entropy of the rules of a tag.
#include "rules.hpp"

namespace labelrank {
namespace {
// Every rule X -> c for the tags at hand: (tags of X in rows of 3, filled with -1; c; how many
// things have X; how many have X and c). With consequents given only rules to these.
std::tuple<Out<int32_t>, Out<int32_t>, Out<int32_t>, Out<int32_t>> rules(
    ListArrays uses, ListArrays tags, In<int32_t> own_tags, In<int32_t> consequents, bool all,
    int32_t length, int32_t support, double confidence, int32_t wide) {
  const Lists of_tags(uses), of_things(tags);
  const RuleLimits limits{length, support, confidence, wide};
  check_indices(consequents, static_cast<int64_t>(of_tags.n()), "consequents");
  std::vector<int32_t> antecedents, heads, counts, both;
  {
    nb::gil_scoped_release release;
    std::vector<uint8_t> wanted(of_tags.n(), all);
    for (size_t i = 0; i < consequents.shape(0); ++i)
      wanted[static_cast<size_t>(consequents.data()[i])] = 1;
    Rules found(of_tags, of_things, limits);
    const Span own{own_tags.data(), own_tags.data() + own_tags.shape(0)};
    found.begin(own);
    if (!all && consequents.shape(0) <= 64)
      found.only({consequents.data(), consequents.data() + consequents.shape(0)});
    found.each(own, [&](const Rules::Antecedent& x) {
      for (const int32_t c : x.consequents) {
        const int32_t n = x.counts[c];
        if (!wanted[static_cast<size_t>(c)] || n < support || n < confidence * x.things) continue;
        for (int32_t i = 0; i < 3; ++i) antecedents.push_back(i < x.size ? x.tags[i] : -1);
        heads.push_back(c);
        counts.push_back(x.things);
        both.push_back(n);
      }
    });
    found.done(own);
  }
  const size_t n = heads.size();
  auto rows = raw<int32_t>(n * 3);
  std::copy(antecedents.begin(), antecedents.end(), rows.get());
  return {own(std::move(rows), n, 3), own(std::move(heads)), own(std::move(counts)),
          own(std::move(both))};
}

// H of some tags (paper 001, (11)): -sum over the rules tag -> i of confidence * log(confidence).
// Rules are added up by their counts, rising: the sum does not depend on how tags are numbered.
Out<double> rule_entropies(ListArrays uses, ListArrays tags, In<int32_t> of, int32_t support,
                           double confidence) {
  const Lists of_tags(uses), of_things(tags);
  const RuleLimits limits{1, support, confidence, 1};
  auto entropies = raw<double>(of.shape(0));
  {
    nb::gil_scoped_release release;
    Rules found(of_tags, of_things, limits);
    std::vector<int32_t> spread;
    for (size_t i = 0; i < of.shape(0); ++i) {
      const Span own{of.data() + i, of.data() + i + 1};
      double sum = 0;
      found.begin(own);
      found.each(own, [&](const Rules::Antecedent& x) {
        spread.assign(static_cast<size_t>(x.things) + 1, 0);
        for (const int32_t c : x.consequents)
          ++spread[static_cast<size_t>(std::min(x.counts[c], x.things))];
        for (int32_t n = support; n <= x.things; ++n) {
          if (!spread[static_cast<size_t>(n)] || n < confidence * x.things) continue;
          const double share = static_cast<double>(n) / x.things;
          sum -= spread[static_cast<size_t>(n)] * share * std::log(share);
        }
      });
      found.done(own);
      entropies[i] = sum;
    }
  }
  return own(std::move(entropies), of.shape(0));
}
}  // namespace

void bind_rules(nb::module_& m) {
  using nb::arg;
  m.def("rules", &rules, arg("uses").noconvert(), arg("tags").noconvert(), arg("own").noconvert(),
        arg("consequents").noconvert(), arg("all"), arg("length"), arg("support"),
        arg("confidence"), arg("wide"));
  m.def("rule_entropies", &rule_entropies, arg("uses").noconvert(), arg("tags").noconvert(),
        arg("of").noconvert(), arg("support"), arg("confidence"));
}
}  // namespace labelrank

// Porter's stemmer (Porter 1980, "An algorithm for suffix stripping").
#include <string_view>

#include "arrays.hpp"

namespace labelrank {
namespace {
using std::string_view;

struct Rule {
  string_view suffix, replacement;
};

class Stem {
 public:
  explicit Stem(std::string& word) : w_(word) {}

  void run() {
    plurals();
    past();
    if (ends("y") && vowel(w_.size() - 1)) w_.back() = 'i';
    static constexpr Rule kDouble[] = {
        {"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"},   {"anci", "ance"},
        {"izer", "ize"},    {"abli", "able"},   {"alli", "al"},     {"entli", "ent"},
        {"eli", "e"},       {"ousli", "ous"},   {"ization", "ize"}, {"ation", "ate"},
        {"ator", "ate"},    {"alism", "al"},    {"iveness", "ive"}, {"fulness", "ful"},
        {"ousness", "ous"}, {"aliti", "al"},    {"iviti", "ive"},   {"biliti", "ble"}};
    replace(kDouble);
    static constexpr Rule kSingle[] = {{"icate", "ic"}, {"ative", ""},  {"alize", "al"},
                                       {"iciti", "ic"}, {"ical", "ic"}, {"ful", ""},
                                       {"ness", ""}};
    replace(kSingle);
    last_suffix();
    tidy();
  }

 private:
  bool consonant(size_t i) const {
    switch (w_[i]) {
      case 'a':
      case 'e':
      case 'i':
      case 'o':
      case 'u':
        return false;
      case 'y':
        return i == 0 || !consonant(i - 1);
      default:
        return true;
    }
  }
  // m: how many times vowels are followed by consonants in the first n letters.
  int measure(size_t n) const {
    int m = 0;
    for (size_t i = 1; i < n; ++i) m += consonant(i) && !consonant(i - 1);
    return m;
  }
  bool vowel(size_t n) const {
    for (size_t i = 0; i < n; ++i)
      if (!consonant(i)) return true;
    return false;
  }
  bool doubled() const {
    const size_t n = w_.size();
    return n > 1 && w_[n - 1] == w_[n - 2] && consonant(n - 1);
  }
  // The first n letters end with consonant, vowel, consonant, the last not w, x or y.
  bool short_end(size_t n) const {
    if (n < 3 || !consonant(n - 1) || consonant(n - 2) || !consonant(n - 3)) return false;
    const char last = w_[n - 1];
    return last != 'w' && last != 'x' && last != 'y';
  }
  bool ends(string_view s) const {
    return w_.size() >= s.size() && string_view(w_).substr(w_.size() - s.size()) == s;
  }
  size_t before(string_view suffix) const { return w_.size() - suffix.size(); }
  void put(string_view suffix, string_view replacement) {
    w_.resize(before(suffix));
    w_ += replacement;
  }

  void plurals() {
    if (ends("sses"))
      put("sses", "ss");
    else if (ends("ies"))
      put("ies", "i");
    else if (ends("s") && !ends("ss"))
      put("s", "");
  }
  void past() {
    if (ends("eed")) {
      if (measure(before("eed")) > 0) put("eed", "ee");
      return;
    }
    for (const string_view suffix : {string_view("ed"), string_view("ing")}) {
      if (!ends(suffix)) continue;
      if (!vowel(before(suffix))) return;
      put(suffix, "");
      if (ends("at") || ends("bl") || ends("iz"))
        w_ += 'e';
      else if (doubled() && !ends("l") && !ends("s") && !ends("z"))
        w_.pop_back();
      else if (measure(w_.size()) == 1 && short_end(w_.size()))
        w_ += 'e';
      return;
    }
  }
  // The longest suffix of a table that the word ends with, replaced where m > 0.
  template <size_t N>
  void replace(const Rule (&rules)[N]) {
    const Rule* longest = nullptr;
    for (const Rule& rule : rules)
      if (ends(rule.suffix) && (!longest || rule.suffix.size() > longest->suffix.size()))
        longest = &rule;
    if (longest && measure(before(longest->suffix)) > 0) put(longest->suffix, longest->replacement);
  }
  void last_suffix() {
    static constexpr string_view kSuffixes[] = {
        "al",  "ance", "ence", "er",  "ic",  "able", "ible", "ant", "ement", "ment",
        "ent", "ion",  "ou",   "ism", "ate", "iti",  "ous",  "ive", "ize"};
    string_view longest;
    for (const string_view suffix : kSuffixes)
      if (ends(suffix) && suffix.size() > longest.size()) longest = suffix;
    if (longest.empty() || measure(before(longest)) < 2) return;
    const size_t n = before(longest);
    if (longest == "ion" && !(n > 0 && (w_[n - 1] == 's' || w_[n - 1] == 't'))) return;
    put(longest, "");
  }
  void tidy() {
    if (ends("e")) {
      const size_t n = w_.size() - 1;
      const int m = measure(n);
      if (m > 1 || (m == 1 && !short_end(n))) w_.pop_back();
    }
    if (ends("ll") && measure(w_.size()) > 1) w_.pop_back();
  }

  std::string& w_;
};

// Words, one a line, to their stems, one a line. Words of one or two letters, and words with
// anything but small Latin letters, stay as they are.
std::string porter(const std::string& words) {
  nb::gil_scoped_release release;
  std::string stems, word;
  stems.reserve(words.size());
  for (size_t at = 0; at <= words.size();) {
    const size_t end = std::min(words.find('\n', at), words.size());
    word.assign(words, at, end - at);
    const bool latin =
        std::all_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
    if (latin && word.size() > 2) Stem(word).run();
    if (at) stems += '\n';
    stems += word;
    at = end + 1;
  }
  return stems;
}
}  // namespace

void bind_porter(nb::module_& m) { m.def("porter", &porter, nb::arg("words")); }
}  // namespace labelrank

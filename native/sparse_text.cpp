// Rows of sparse text, "1,7 0:.5 3:1" or "2 qid:9 1:.5 # note", to arrays. Extreme-classification
// files, SVMlight files with one or several labels and matrices of index:value are all this.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "arrays.hpp"

namespace labelrank {
namespace {
enum Labels { kNone = 0, kList = 1, kTarget = 2 };

inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A decimal number. Up to 19 digits and a power of ten within 10^22 are exact in double arithmetic
// (Clinger); anything else, nan and inf included, goes to strtod.
bool parse_number(const char*& p, const char* end, double& value) {
  static const double kTen[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  const char* s = p;
  const bool negative = s < end && *s == '-';
  if (s < end && (*s == '-' || *s == '+')) ++s;
  uint64_t mantissa = 0;
  int digits = 0, exponent = 0;
  bool any = false;
  for (; s < end && is_digit(*s); ++s, any = true)
    if (mantissa || *s != '0') mantissa = mantissa * 10 + static_cast<uint64_t>(*s - '0'), ++digits;
  if (s < end && *s == '.')
    for (++s; s < end && is_digit(*s); ++s, any = true) {
      if (mantissa || *s != '0')
        mantissa = mantissa * 10 + static_cast<uint64_t>(*s - '0'), ++digits;
      --exponent;
    }
  if (any && s < end && (*s == 'e' || *s == 'E')) {
    const char* mark = s++;
    const bool minus = s < end && *s == '-';
    if (s < end && (*s == '-' || *s == '+')) ++s;
    int power = 0;
    if (s == end || !is_digit(*s)) s = mark;
    for (; s < end && s != mark && is_digit(*s); ++s)
      power = std::min(power * 10 + (*s - '0'), 9999);
    exponent += minus ? -power : power;
  }
  if (any && digits <= 15 && exponent >= -22 && exponent <= 22) {
    const double m = static_cast<double>(mantissa);
    value = exponent < 0 ? m / kTen[-exponent] : m * kTen[exponent];
    if (negative) value = -value;
    p = s;
    return true;
  }
  const char* stop = p;
  while (stop < end && !is_blank(*stop) && *stop != '\n' && *stop != ',') ++stop;
  const std::string token(p, stop);
  char* used = nullptr;
  value = std::strtod(token.c_str(), &used);
  if (used == token.c_str()) return false;
  p += used - token.c_str();
  return true;
}

// A whole number; false when there is none or it passes 2^62.
bool parse_int(const char*& p, const char* end, int64_t& value) {
  const char* s = p;
  const bool negative = s < end && *s == '-';
  if (negative) ++s;
  if (s == end || !is_digit(*s)) return false;
  int64_t v = 0;
  for (; s < end && is_digit(*s); ++s) {
    if (v > (int64_t{1} << 58)) return false;
    v = v * 10 + (*s - '0');
  }
  value = negative ? -v : v;
  p = s;
  return true;
}

template <class V>
struct Rows {
  std::vector<int32_t> label_counts, labels, feature_counts, features;
  std::vector<V> values;
  std::vector<double> targets;
  std::vector<int64_t> queries;
};

// V is the type of the values: float for features, double for the scores and grades of a matrix of
// labels, where two that are close must not become equal.
template <class V>
class Parser {
 public:
  Parser(int mode, int64_t n_features, int64_t n_labels, int64_t line)
      : mode_(mode),
        noun_(mode == kNone ? "label" : "feature"),
        n_features_(n_features),
        n_labels_(n_labels),
        line_(line) {}

  // Parses every whole line; the last one counts as whole when `final`. Returns the bytes used.
  size_t run(const char* text, size_t size, bool final) {
    const char *p = text, *end = text + size;
    while (p < end) {
      const void* found = std::memchr(p, '\n', static_cast<size_t>(end - p));
      const char* stop = found ? static_cast<const char*>(found) : end;
      if (stop == end && !final) break;
      ++line_;
      row(p, stop);
      p = stop == end ? end : stop + 1;
    }
    return static_cast<size_t>(p - text);
  }
  int64_t line() const { return line_; }
  Rows<V> rows;

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::invalid_argument("line " + std::to_string(line_) + ": " + what);
  }
  static std::string shown(const char* p, const char* end) {
    std::string token;
    for (; p < end && !is_blank(*p) && token.size() < 20; ++p) {
      const unsigned char c = static_cast<unsigned char>(*p);
      static const char* hex = "0123456789abcdef";
      if (c >= 32 && c < 127)
        token += *p;
      else
        token += std::string("\\x") + hex[c >> 4] + hex[c & 15];
    }
    return "'" + token + "'";
  }
  static void skip(const char*& p, const char* end) {
    while (p < end && is_blank(*p)) ++p;
  }
  void check(int64_t index, int64_t bound, const char* noun) const {
    const int64_t top = bound >= 0 ? bound : std::numeric_limits<int32_t>::max();
    if (index >= 0 && index < top) return;
    fail(std::string(noun) + " " + std::to_string(index) + " is out of range: " +
         (bound >= 0 ? "the header says " + std::to_string(bound) + " " + noun + "s, from 0 on"
                     : std::string("numbers are whole, 0 or more and fit in 31 bits")));
  }
  [[noreturn]] void expected_pair(const char* token, const char* end) const {
    fail("expected " + noun_ + ":value, found " + shown(token, end));
  }

  void row(const char* p, const char* end) {
    const char* start = p;
    skip(p, end);
    if (p < end && *p == '#') return;         // a line of comment is no row
    if (p == end && n_features_ < 0) return;  // nor is an empty one, unless a header counts rows
    const size_t first_label = rows.labels.size(), first = rows.features.size();
    if (mode_ == kList && p == start) read_labels(p, end);
    if (mode_ == kTarget) {
      const char* token = p;
      double target = 0;
      if (!parse_number(p, end, target) || !std::isfinite(target))
        fail("expected a number for the target, found " + shown(token, end));
      rows.targets.push_back(target);
    }
    bool sorted = true;
    int64_t query = -1, index = 0;
    while (skip(p, end), p < end && *p != '#') {
      if (mode_ == kTarget && end - p > 4 && std::equal(p, p + 4, "qid:")) {
        const char* token = p;
        p += 4;
        if (!parse_int(p, end, query)) fail("expected qid:NUMBER, found " + shown(token, end));
        continue;
      }
      const char* token = p;
      if (!parse_int(p, end, index) || p == end || *p != ':') expected_pair(token, end);
      check(index, n_features_, noun_.c_str());
      ++p;
      double value = 0;
      if (!parse_number(p, end, value) || (p < end && !is_blank(*p))) expected_pair(token, end);
      const V narrow = static_cast<V>(value);
      if (!std::isfinite(narrow))
        fail(noun_ + " " + std::to_string(index) + " has a value that is not a finite number: " +
             shown(token, end) + "; replace it or leave it out");
      const int32_t feature = static_cast<int32_t>(index);
      sorted &= rows.features.size() == first || rows.features.back() < feature;
      rows.features.push_back(feature);
      rows.values.push_back(narrow);
    }
    if (!sorted) sort_features(first);
    rows.queries.push_back(query);
    rows.label_counts.push_back(static_cast<int32_t>(rows.labels.size() - first_label));
    rows.feature_counts.push_back(static_cast<int32_t>(rows.features.size() - first));
  }

  // "3,1,4" up to the first blank; a first word with a colon means that the list is empty.
  void read_labels(const char*& p, const char* end) {
    const char* token = p;
    const char* stop = p;
    while (stop < end && !is_blank(*stop)) ++stop;
    if (p == stop || std::find(p, stop, ':') != stop) return;
    const size_t first = rows.labels.size();
    while (true) {
      int64_t label = 0;
      if (!parse_int(p, stop, label)) fail("expected label numbers, found " + shown(token, end));
      check(label, n_labels_, "label");
      rows.labels.push_back(static_cast<int32_t>(label));
      if (p == stop) break;
      if (*p != ',') fail("expected label numbers, found " + shown(token, end));
      ++p;
    }
    std::sort(rows.labels.begin() + first, rows.labels.end());
    const auto twice = std::adjacent_find(rows.labels.begin() + first, rows.labels.end());
    if (twice != rows.labels.end()) stands_twice("label", *twice);
  }

  void sort_features(size_t first) {
    std::vector<std::pair<int32_t, V>> row;
    for (size_t e = first; e < rows.features.size(); ++e)
      row.emplace_back(rows.features[e], rows.values[e]);
    std::sort(row.begin(), row.end());
    for (size_t j = 0; j < row.size(); ++j) {
      if (j > 0 && row[j].first == row[j - 1].first) stands_twice(noun_, row[j].first);
      rows.features[first + j] = row[j].first;
      rows.values[first + j] = row[j].second;
    }
  }

  [[noreturn]] void stands_twice(const std::string& noun, int32_t index) const {
    fail(noun + " " + std::to_string(index) + " stands twice: keep one of the two");
  }

  int mode_;
  std::string noun_;  // what the numbers before the colons are
  int64_t n_features_, n_labels_, line_;
};

template <class V>
nb::tuple parsed(In<uint8_t> text, bool final, int labels, int64_t n_features, int64_t n_labels,
                 int64_t line) {
  Parser<V> parser(labels, n_features, n_labels, line);
  size_t used = 0;
  {
    nb::gil_scoped_release release;
    const char* bytes = reinterpret_cast<const char*>(text.data());
    const size_t size = text.shape(0);
    parser.rows.features.reserve(static_cast<size_t>(std::count(bytes, bytes + size, ':')));
    parser.rows.values.reserve(parser.rows.features.capacity());
    used = parser.run(bytes, size, final);
  }
  Rows<V>& r = parser.rows;
  return nb::make_tuple(used, parser.line(), own(std::move(r.label_counts)),
                        own(std::move(r.labels)), own(std::move(r.feature_counts)),
                        own(std::move(r.features)), own(std::move(r.values)),
                        own(std::move(r.targets)), own(std::move(r.queries)));
}

// (bytes used, lines read, label counts, labels, feature counts, features, values, targets, qids).
// labels: 0 none, the pairs themselves are label:value in double; 1 a list of label numbers; 2 one
// number. A bound < 0 means any index; `line` counts the lines read before.
nb::tuple parse_sparse_text(In<uint8_t> text, bool final, int labels, int64_t n_features,
                            int64_t n_labels, int64_t line) {
  return labels == kNone ? parsed<double>(text, final, labels, n_features, n_labels, line)
                         : parsed<float>(text, final, labels, n_features, n_labels, line);
}
}  // namespace

void bind_sparse_text(nb::module_& m) {
  using nb::arg;
  m.def("parse_sparse_text", &parse_sparse_text, arg("text").noconvert(), arg("final"),
        arg("labels"), arg("n_features"), arg("n_labels"), arg("line"));
}
}  // namespace labelrank

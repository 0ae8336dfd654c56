// Formulas as postfix programs: their scores, and what these are worth over groups.
#include <cfloat>
#include <cstring>

#include "arrays.hpp"
#include "group_measure.hpp"

#if defined(__GNUC__) && !defined(__clang__)
#define LABELRANK_APART _Pragma("GCC ivdep")  // out may be a or b, element by element
#else
#define LABELRANK_APART
#endif

namespace labelrank {
namespace {
// A code is an operator (below 0), a feature (0..d-1) or a constant (d, d+1, …).
enum : int32_t { kPlus = -5, kMinus = -4, kTimes = -3, kDivide = -2, kLog = -1 };

// Every operator works on whole blocks, also at the end of the data: an element is computed by the
// same instructions wherever it stands, so a score depends on its own features alone.
constexpr int64_t kBlock = 512;
constexpr int64_t kDeepest = 64;

// In this order a NaN, too, becomes a number: sorting depends on it.
float finite(float v) { return std::min(std::max(-FLT_MAX, v), FLT_MAX); }

LABELRANK_SIMD void combine(int32_t op, const float* a, const float* b, float* out) {
  if (op == kPlus) {
    LABELRANK_APART
    for (int64_t i = 0; i < kBlock; ++i) out[i] = finite(a[i] + b[i]);
  } else if (op == kMinus) {
    LABELRANK_APART
    for (int64_t i = 0; i < kBlock; ++i) out[i] = finite(a[i] - b[i]);
  } else if (op == kTimes) {
    LABELRANK_APART
    for (int64_t i = 0; i < kBlock; ++i) out[i] = finite(a[i] * b[i]);
  } else {
    LABELRANK_APART
    for (int64_t i = 0; i < kBlock; ++i) {
      const float by = b[i];
      const float quotient = finite(a[i] / (by == 0 ? 1.0F : by));
      out[i] = by == 0 ? 0.0F : quotient;
    }
  }
}

// log x = e log 2 + 2 (s + s³/3 + …) where x = 2^e m, s = (m - 1) / (m + 1), √½ <= m < √2. In
// float64, so that its rounding to float32 is that of the true logarithm on every machine.
LABELRANK_SIMD void logarithm(const float* x, float* out) {
  constexpr int32_t kRootHalf = 0x3f3504f3, kStep = 1 << 23;
  constexpr float kTiny = 16777216.0F;  // 2^24: makes a subnormal number normal
  int32_t bits[kBlock], exponent[kBlock];
  float normal[kBlock];
  for (int64_t i = 0; i < kBlock; ++i) {
    const float v = x[i] > 0 ? x[i] : 1.0F;  // log 1 = 0 is also what log x is below
    normal[i] = v < FLT_MIN ? v * kTiny : v;
    exponent[i] = v < FLT_MIN ? -24 : 0;
  }
  std::memcpy(bits, normal, sizeof(bits));
  for (int64_t i = 0; i < kBlock; ++i) {
    const int32_t e = (bits[i] - kRootHalf) >> 23;
    exponent[i] += e;
    bits[i] -= e * kStep;
  }
  std::memcpy(normal, bits, sizeof(bits));
  for (int64_t i = 0; i < kBlock; ++i) {
    const double m = normal[i];
    const double s = (m - 1) / (m + 1), z = s * s;
    const double series =
        1 +
        z * (1. / 3 +
             z * (1. / 5 + z * (1. / 7 + z * (1. / 9 + z * (1. / 11 + z * (1. / 13 + z / 15))))));
    out[i] = static_cast<float>(exponent[i] * 0.69314718055994530942 + 2 * s * series);
  }
}

struct Program {
  const int32_t* codes;
  int64_t size;
};

// Refuses what cannot be run; gives how many values wait at most.
int64_t check_program(const Program& program, int64_t d, int64_t n_constants) {
  int64_t waiting = 0, most = 0;
  for (int64_t i = 0; i < program.size; ++i) {
    const int32_t code = program.codes[i];
    if (code < kPlus || code >= d + n_constants)
      throw std::invalid_argument("a program has the code " + std::to_string(code) +
                                  ", which is no operator, feature or constant");
    const int64_t takes = code >= 0 ? 0 : code == kLog ? 1 : 2;
    if (waiting < takes) throw std::invalid_argument("a program has an operator without operands");
    waiting += 1 - takes;
    most = std::max(most, waiting);
  }
  if (waiting != 1)
    throw std::invalid_argument("a program leaves " + std::to_string(waiting) + " values, not one");
  if (most > kDeepest) throw std::invalid_argument("a program is nested too deeply");
  return most;
}

// Runs programs over one block at a time. `load(code, room)` gives a leaf's values, in `room` or
// from where they are.
class Machine {
 public:
  explicit Machine(int64_t rooms) : stack_(rooms * kBlock), values_(rooms) {}

  template <class Load>
  const float* operator()(const Program& program, Load&& load) {
    int64_t top = 0;
    for (int64_t i = 0; i < program.size; ++i) {
      const int32_t code = program.codes[i];
      if (code >= 0) {
        values_[top] = load(code, room(top));
        ++top;
      } else if (code == kLog) {
        logarithm(values_[top - 1], room(top - 1));
        values_[top - 1] = room(top - 1);
      } else {
        --top;
        combine(code, values_[top - 1], values_[top], room(top - 1));
        values_[top - 1] = room(top - 1);
      }
    }
    return values_[0];
  }

 private:
  float* room(int64_t at) { return stack_.data() + at * kBlock; }
  std::vector<float> stack_;
  std::vector<const float*> values_;
};

// How many of a group's scores are above those of some of its members, and how many equal.
LABELRANK_SIMD void count(const float* scores, int32_t n, const int32_t* members, int32_t m,
                          int32_t* above, int32_t* equal) {
  for (int32_t r = 0; r < m; ++r) {
    const float own = scores[members[r]];
    int32_t more = 0, same = 0;
    for (int32_t i = 0; i < n; ++i) {
      more += scores[i] > own;
      same += scores[i] == own;
    }
    above[r] = more;
    equal[r] = same;
  }
}

// The mean of a measure over groups. Where few candidates are relevant, nDCG counts what stands
// above each of them instead of sorting the group.
class Fitness {
 public:
  Fitness(const In<int64_t>& indptr, const double* gains, const std::string& measure, int64_t k)
      : at_(indptr.data()),
        n_groups_(static_cast<int64_t>(indptr.shape(0)) - 1),
        gains_(gains),
        value_(measure, k, longest_group(indptr)),
        best_(n_groups_),
        first_(n_groups_ + 1, 0),
        reach_(value_.k() + 1, 0) {
    for (int64_t j = 0; j < value_.k(); ++j) reach_[j + 1] = reach_[j] + value_.discount(j);
    for (int64_t g = 0; g < n_groups_; ++g) {
      const int64_t size = at_[g + 1] - at_[g];
      best_[g] = value_.best(gains_ + at_[g], size);
      for (int64_t i = 0; i < size; ++i)
        if (gains_[at_[g] + i] > 0) relevant_.push_back(static_cast<int32_t>(i));
      first_[g + 1] = static_cast<int64_t>(relevant_.size());
    }
    above_.resize(relevant_.size());
    equal_.resize(relevant_.size());
  }

  double operator()(const float* scores) {
    double sum = 0;
    for (int64_t g = 0; g < n_groups_; ++g) {
      const int64_t size = at_[g + 1] - at_[g], m = first_[g + 1] - first_[g];
      if (!(best_[g] > 0)) continue;
      const bool few = static_cast<double>(m) < 16 * std::log2(static_cast<double>(size) + 1);
      if (value_.kind() == GroupMeasure::Kind::kNDCG && few)
        sum += counted(g, scores + at_[g], size);
      else if (size > 4 * value_.k())
        sum += cut(g, scores + at_[g], size);
      else
        sum += value_(scores + at_[g], gains_ + at_[g], size, best_[g]);
    }
    return n_groups_ ? sum / static_cast<double>(n_groups_) : 0;
  }

 private:
  double counted(int64_t g, const float* scores, int64_t size) {
    const int64_t from = first_[g], m = first_[g + 1] - from;
    count(scores, static_cast<int32_t>(size), relevant_.data() + from, static_cast<int32_t>(m),
          above_.data(), equal_.data());
    double sum = 0;
    for (int64_t r = 0; r < m; ++r) {  // the mean discount of the places that its tie holds
      const int64_t above = std::min<int64_t>(above_[r], value_.k());
      const int64_t end = std::min<int64_t>(above + equal_[r], value_.k());
      sum += gains_[at_[g] + relevant_[from + r]] * (reach_[end] - reach_[above]) / equal_[r];
    }
    return sum / best_[g];
  }

  // Of a long group only those matter that reach the first k places, or tie with the last of them.
  double cut(int64_t g, const float* scores, int64_t size) {
    top_.assign(scores, scores + size);
    const auto last = top_.begin() + (value_.k() - 1);
    std::nth_element(top_.begin(), last, top_.end(), std::greater<float>());
    const float least = *last;
    top_.clear();
    top_gains_.clear();
    for (int64_t i = 0; i < size; ++i) {
      if (scores[i] < least) continue;
      top_.push_back(scores[i]);
      top_gains_.push_back(gains_[at_[g] + i]);
    }
    return value_(top_.data(), top_gains_.data(), static_cast<int64_t>(top_.size()), best_[g]);
  }

  const int64_t* at_;
  int64_t n_groups_;
  const double* gains_;
  GroupMeasure value_;
  std::vector<double> best_;
  std::vector<int64_t> first_;  // of each group, among the relevant
  std::vector<double> reach_;
  std::vector<int32_t> relevant_, above_, equal_;
  std::vector<float> top_;
  std::vector<double> top_gains_;
};

Out<double> genetic_fitness(In2<float> columns, In<int64_t> indptr, In<double> gains,
                            In<int64_t> offsets, In<int32_t> codes, In<float> constants,
                            const std::string& measure, int64_t k) {
  const int64_t d = columns.shape(0), n = columns.shape(1), n_constants = constants.shape(0);
  check_length(gains.shape(0), n, "gains");
  check_indptr(indptr, n, "indptr");
  check_indptr(offsets, codes.shape(0), "offsets");
  if (longest_group(indptr) > INT32_MAX) throw std::invalid_argument("a group is too large");
  const size_t n_programs = offsets.shape(0) - 1;
  std::vector<Program> programs;
  int64_t rooms = 1;
  for (size_t p = 0; p < n_programs; ++p) {
    const int64_t from = offsets.data()[p];
    programs.push_back({codes.data() + from, offsets.data()[p + 1] - from});
    rooms = std::max(rooms, check_program(programs.back(), d, n_constants));
  }
  Fitness fitness(indptr, gains.data(), measure, k);
  Machine machine(rooms);
  auto out = raw<double>(n_programs);
  {
    nb::gil_scoped_release release;
    std::vector<float> scores(n);
    for (size_t p = 0; p < n_programs; ++p) {
      for (int64_t at = 0; at < n; at += kBlock) {
        const int64_t size = std::min(kBlock, n - at);
        const auto load = [&](int32_t code, float* room) -> const float* {
          if (code >= d) {
            std::fill(room, room + kBlock, constants.data()[code - d]);
            return room;
          }
          const float* column = columns.data() + code * n + at;
          if (size == kBlock) return column;
          std::fill(std::copy(column, column + size, room), room + kBlock, 0.0F);
          return room;
        };
        const float* found = machine(programs[p], load);
        std::transform(found, found + size, scores.data() + at, finite);
      }
      out[p] = fitness(scores.data());
    }
  }
  return own(std::move(out), n_programs);
}

Out<float> genetic_scores(In2<float> F, In<float> factors, In<int32_t> codes, In<float> constants) {
  const int64_t n = F.shape(0), d = F.shape(1);
  check_length(factors.shape(0), d, "factors");
  const Program program{codes.data(), static_cast<int64_t>(codes.shape(0))};
  Machine machine(check_program(program, d, constants.shape(0)));
  auto out = raw<float>(n);
  {
    nb::gil_scoped_release release;
    for (int64_t at = 0; at < n; at += kBlock) {
      const int64_t size = std::min(kBlock, n - at);
      const auto load = [&](int32_t code, float* room) -> const float* {
        if (code >= d) {
          std::fill(room, room + kBlock, constants.data()[code - d]);
          return room;
        }
        for (int64_t i = 0; i < size; ++i)
          room[i] = finite(F.data()[(at + i) * d + code] * factors.data()[code]);
        std::fill(room + size, room + kBlock, 0.0F);
        return room;
      };
      const float* found = machine(program, load);
      std::transform(found, found + size, out.get() + at, finite);
    }
  }
  return own(std::move(out), n);
}
}  // namespace

void bind_genetic(nb::module_& m) {
  using nb::arg;
  m.def("genetic_fitness", &genetic_fitness, arg("columns").noconvert(), arg("indptr").noconvert(),
        arg("gains").noconvert(), arg("offsets").noconvert(), arg("codes").noconvert(),
        arg("constants").noconvert(), arg("measure"), arg("k"));
  m.def("genetic_scores", &genetic_scores, arg("F").noconvert(), arg("factors").noconvert(),
        arg("codes").noconvert(), arg("constants").noconvert());
}
}  // namespace labelrank

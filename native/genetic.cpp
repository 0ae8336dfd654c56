// Formulas as postfix programs, run over blocks of candidates.
#include <cfloat>
#include <cstring>

#include "fitness.hpp"

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

// Random numbers that are the same on every machine.
#pragma once
#include <cstdint>

namespace labelrank {
// SplitMix64 (Steele, Lea & Flood 2014).
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t operator()() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  // A number in 0..n-1, for n below 2^32.
  uint64_t below(uint64_t n) { return ((*this)() >> 32) * n >> 32; }

 private:
  uint64_t state_;
};
}  // namespace labelrank

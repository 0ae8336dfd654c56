// Association rules X -> c for one thing at a time, counted when they are asked for (LATRE).
#pragma once
#include <cmath>
#include <numeric>

#include "lists.hpp"

namespace labelrank {

// What has to be counted, and what becomes a rule.
struct RuleLimits {
  int32_t length;     // |X| at most
  int32_t support;    // things that have X and c, at least
  double confidence;  // share of the things with X that have c, at least
  int32_t wide;       // of more tags than these only the rarest are put together in larger X

  void check() const {
    if (length < 1 || length > 3) throw std::invalid_argument("length must be 1, 2 or 3");
    if (support < 1) throw std::invalid_argument("support must be at least 1");
    if (!(confidence >= 0 && confidence <= 1))
      throw std::invalid_argument("confidence must lie in 0..1");
    if (wide < 1 || wide > 64) throw std::invalid_argument("wide must lie in 1..64");
  }
};

// Counts, for sets X of tags that one thing has, how many other things have X and each further tag.
//
// Only things that share a tag with the one at hand are looked at: they come from the posting lists
// of its tags. A bit for each tag says which of them a thing has, so larger sets are filtered from
// the things of smaller ones, and only things with two bits are looked at twice. Work is bounded
// by the postings of the tags, and beyond pairs by `wide`.
class Rules {
 public:
  // One X: its tags, how many things have it, which tags those have, and how many of them each.
  struct Antecedent {
    const int32_t* tags;
    int32_t size;
    int32_t things;
    Span consequents;       // never one of the tags at hand; in no order
    const int32_t* counts;  // one a tag; those below the support are there too
  };

  // uses: the things of each tag; tags: the tags of each thing.
  Rules(const Lists& uses, const Lists& tags, const RuleLimits& limits)
      : uses_(uses), tags_(tags), limits_(limits) {
    limits.check();
    if (dirty_ || counts_.size() < uses.n()) counts_.assign(uses.n(), 0);
    if (dirty_ || bits_.size() < tags.n()) bits_.assign(tags.n(), 0);
    if (dirty_) flags_.clear();
    if (met_.size() <= uses.n()) met_.resize(uses.n() + 1);
    dirty_ = true;
  }

  // Whether a tag is one of those at hand, between `begin` and `done`.
  bool own(int32_t tag) const { return counts_[static_cast<size_t>(tag)] < 0; }

  void begin(Span own) {
    dirty_ = true;
    for (const int32_t tag : own) {
      if (!uses_.has(tag)) throw std::invalid_argument("a tag is not known");
      int32_t& count = counts_[static_cast<size_t>(tag)];
      if (count < 0) throw std::invalid_argument("a tag stands twice");
      count = kOwn;
    }
  }
  void done(Span own) {
    for (const int32_t tag : own) counts_[static_cast<size_t>(tag)] = 0;
    if (wanted_.size()) flag(false);
    dirty_ = false;
  }

  // From now on count these tags alone, at most 64: far less work than counting all.
  void only(Span tags) {
    wanted_ = tags;
    if (flags_.size() < tags_.n()) flags_.assign(tags_.n(), 0);
    flag(true);
  }

  // Calls found(Antecedent) for every X of at most `length` of the tags with enough things: single
  // tags in their order first.
  template <class Found>
  void each(Span own, Found&& found) {
    for (const int32_t tag : own) {
      const Span things = uses_[tag];
      if (static_cast<int32_t>(things.size()) < limits_.support) continue;
      count(things);
      found(Antecedent{&tag, 1, static_cast<int32_t>(things.size()), consequents_, counts_.data()});
      clear(own);
    }
    if (limits_.length > 1 && own.size() > 1) larger(own, found);
  }

 private:
  static constexpr int32_t kOwn = -(1 << 30);
  static constexpr size_t kAhead = 32;
  struct Shared {
    int32_t thing;
    uint64_t bits;
  };

  void flag(bool on) {
    for (size_t i = 0; i < wanted_.size(); ++i)
      for (const int32_t thing : uses_[wanted_[i]]) {
        if (!tags_.has(thing)) throw std::invalid_argument("a tag has a thing that is not known");
        flags_[static_cast<size_t>(thing)] =
            on ? flags_[static_cast<size_t>(thing)] | uint64_t{1} << i : 0;
      }
  }

  // Counts the tags of some things. A tag is written down at every step and stays only when it is
  // met for the first time: that costs less than asking.
  void count(Span things) {
    int32_t* const counts = counts_.data();
    int32_t* const met = met_.data();
    size_t n = 0;
    const auto one_more = [&](int32_t tag) {
      met[n] = tag;
      n += counts[tag]++ == 0;
    };
    if (wanted_.size()) {
      for (const int32_t thing : things) {
        if (!tags_.has(thing)) throw std::invalid_argument("a tag has a thing that is not known");
        uint64_t flags = flags_[static_cast<size_t>(thing)];
        for (size_t i = 0; flags; ++i, flags >>= 1)
          if (flags & 1) one_more(wanted_[i]);
      }
    } else {
      for (size_t i = 0; i < things.size(); ++i) {
        if (i + kAhead < things.size()) tags_.fetch_place(things[i + kAhead]);
        if (i + kAhead / 2 < things.size()) tags_.fetch_list(things[i + kAhead / 2]);
        for (const int32_t tag : tags_[things[i]]) {
          if (!uses_.has(tag)) throw std::invalid_argument("a thing has a tag that is not known");
          one_more(tag);
        }
      }
    }
    consequents_ = {met, met + n};
  }
  void clear(Span own) {
    int32_t* const counts = counts_.data();
    for (const int32_t tag : consequents_) counts[tag] = 0;
    for (const int32_t tag : own) counts[tag] = kOwn;
  }

  template <class Found>
  void larger(Span own, Found& found) {
    chosen_.clear();
    for (const int32_t tag : own)
      if (uses_.size(tag) >= limits_.support) chosen_.push_back(tag);
    std::stable_sort(chosen_.begin(), chosen_.end(),
                     [&](int32_t a, int32_t b) { return uses_.size(a) < uses_.size(b); });
    if (chosen_.size() > static_cast<size_t>(limits_.wide))
      chosen_.resize(static_cast<size_t>(limits_.wide));
    for (size_t i = 0; i < chosen_.size(); ++i)
      for (const int32_t thing : uses_[chosen_[i]]) {
        if (!tags_.has(thing)) throw std::invalid_argument("a tag has a thing that is not known");
        bits_[static_cast<size_t>(thing)] |= uint64_t{1} << i;
      }
    int32_t x[3];
    for (size_t i = 0; i + 1 < chosen_.size(); ++i) {
      firsts_.clear();
      for (const int32_t thing : uses_[chosen_[i]]) {
        const uint64_t later = bits_[static_cast<size_t>(thing)] >> (i + 1);
        if (later) firsts_.push_back({thing, later});
      }
      x[0] = chosen_[i];
      for (size_t j = i + 1; j < chosen_.size(); ++j) {
        if (!filtered(firsts_, j - i - 1, seconds_)) continue;
        x[1] = chosen_[j];
        one(x, 2, seconds_, own, found);
        for (size_t k = j + 1; limits_.length > 2 && k < chosen_.size(); ++k) {
          if (!filtered(seconds_, k - i - 1, thirds_)) continue;
          x[2] = chosen_[k];
          one(x, 3, thirds_, own, found);
        }
      }
    }
    for (const int32_t tag : chosen_)
      for (const int32_t thing : uses_[tag]) bits_[static_cast<size_t>(thing)] = 0;
  }

  // Those of some things that have the tag with a bit; whether they are enough.
  bool filtered(const std::vector<Shared>& from, size_t bit, std::vector<Shared>& to) const {
    to.clear();
    for (const Shared& s : from)
      if (s.bits >> bit & 1) to.push_back(s);
    return static_cast<int32_t>(to.size()) >= limits_.support;
  }

  template <class Found>
  void one(const int32_t* x, int32_t size, const std::vector<Shared>& things, Span own,
           Found& found) {
    numbers_.clear();
    for (const Shared& s : things) numbers_.push_back(s.thing);
    count({numbers_.data(), numbers_.data() + numbers_.size()});
    found(Antecedent{x, size, static_cast<int32_t>(numbers_.size()), consequents_, counts_.data()});
    clear(own);
  }

  const Lists& uses_;
  const Lists& tags_;
  RuleLimits limits_;
  Span wanted_{nullptr, nullptr};
  // All zero between two things, and kept from call to call: clearing them would cost more than a
  // whole thing. After an error they are dirty.
  inline static thread_local std::vector<int32_t> counts_, met_;
  inline static thread_local std::vector<uint64_t> bits_, flags_;
  inline static thread_local bool dirty_ = false;
  Span consequents_{nullptr, nullptr};
  std::vector<int32_t> chosen_, numbers_;
  std::vector<Shared> firsts_, seconds_, thirds_;
};
}  // namespace labelrank

// Arrays that may lie in a file without a name: where memory is short, the system writes them out.
#pragma once
#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#if defined(__unix__) || defined(__APPLE__)
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#define LABELRANK_SPILLS 1
#endif

namespace labelrank {
constexpr size_t kSpilled = 256 * 1024;  // smaller arrays stay in memory

struct Unmap {
  size_t bytes = 0;  // 0: from new[]
  void operator()(char* p) const {
#ifdef LABELRANK_SPILLS
    if (bytes) {
      munmap(p, bytes);
      return;
    }
#endif
    delete[] p;
  }
};
using Space = std::unique_ptr<char[], Unmap>;

#ifdef LABELRANK_SPILLS
// Room on the disk now, rather than a signal when a full disk is written to.
inline bool reserve(int file, size_t bytes) {
#ifdef __linux__
  return posix_fallocate(file, 0, static_cast<off_t>(bytes)) == 0;
#else
  return ftruncate(file, static_cast<off_t>(bytes)) == 0;
#endif
}
#endif

// Uninitialised bytes; in a file in `folder` when one is given and they are many.
inline Space make_space(size_t bytes, const std::string& folder) {
#ifdef LABELRANK_SPILLS
  if (!folder.empty() && bytes >= kSpilled) {
    const std::string pattern = folder + "/labelrank-XXXXXX";
    std::vector<char> name(pattern.c_str(), pattern.c_str() + pattern.size() + 1);
    const int file = mkstemp(name.data());
    if (file < 0) throw std::bad_alloc();
    unlink(name.data());
    void* p = MAP_FAILED;
    if (reserve(file, bytes)) p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (p == MAP_FAILED) throw std::bad_alloc();
    return Space(static_cast<char*>(p), Unmap{bytes});
  }
#endif
  return Space(new char[bytes], Unmap{});
}

// An array of numbers whose size is known when it is made.
template <class T>
class Spilling {
 public:
  Spilling() = default;
  Spilling(size_t n, const std::string& folder)
      : space_(make_space(n * sizeof(T), folder)), size_(n) {}

  T* data() { return reinterpret_cast<T*>(space_.get()); }
  const T* data() const { return reinterpret_cast<const T*>(space_.get()); }
  T& operator[](size_t i) { return data()[i]; }
  size_t size() const { return size_; }

  // Gives back what lies behind the first n, where that is much and in memory.
  void cut(size_t n) {
    if (n < size_ / 2 && space_.get_deleter().bytes == 0) {
      Spilling smaller(n, "");
      std::copy(data(), data() + n, smaller.data());
      *this = std::move(smaller);
    }
    size_ = n;
  }

 private:
  Space space_;
  size_t size_ = 0;
};
}  // namespace labelrank

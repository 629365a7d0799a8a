#pragma once

#include <cmath>
#include <cstdint>

namespace yard::scheduler {

/// The finalizer of SplitMix64: neighbouring inputs give unrelated outputs.
constexpr uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

/// Same numbers on every machine for the same seed, which std's distributions do not promise.
class Random {
public:
    explicit Random(uint64_t seed)
        : m_state(mix(seed))
    {
    }
    uint64_t next()
    {
        m_state += 0x9e3779b97f4a7c15ull;
        return mix(m_state);
    }
    double unit() { return double(next() >> 11) * 0x1.0p-53; }  ///< [0, 1)
    double between(double low, double high) { return low + (high - low) * unit(); }
    bool chance(double probability) { return unit() < probability; }
    uint64_t below(uint64_t n) { return n == 0 ? 0 : next() % n; }
    double exponential(double mean) { return -mean * std::log1p(-unit()); }
    uint64_t poisson(double mean)
    {
        if (mean > 50) {  // close enough to normal
            const double radius = std::sqrt(-2 * std::log1p(-unit()));
            const double value = mean + std::sqrt(mean) * radius * std::cos(6.283185307 * unit());
            return value < 0 ? 0 : uint64_t(std::lround(value));
        }
        uint64_t count = 0;
        for (double sum = exponential(1); sum < mean; sum += exponential(1))
            ++count;
        return count;
    }

private:
    uint64_t m_state;
};

}  // namespace yard::scheduler

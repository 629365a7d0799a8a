#include "backend/scheduler/simulated/workload_tables.h"

#include <algorithm>
#include <cmath>

namespace yard::scheduler {
namespace {

constexpr std::array<double, 15> kRunSeconds{16,   32,   64,    128,   256,   512,    1024,  2048,
                                             4096, 8192, 16384, 32768, 65536, 131072, 262144};
constexpr std::array<double, 9> kQueueSeconds{1, 8, 16, 32, 64, 256, 1024, 4096, 16384};
constexpr double kLongestRun = 1'209'604;
constexpr double kLongestQueue = 60'000;

template <size_t N>
Cdf cdf(double least, const std::array<double, N>& x, const std::array<double, N>& percent,
        double greatest)
{
    std::vector<Cdf::Point> points{{least, 0}};
    for (size_t i = 0; i < N; ++i)
        points.push_back({x[i], percent[i] / 100});
    if (points.back().share < 1)
        points.push_back({greatest, 1});
    return Cdf(std::move(points));
}

Cdf run(const std::array<double, 15>& percent)
{
    return cdf(2, kRunSeconds, percent, kLongestRun);
}

Cdf queue(const std::array<double, 9>& percent)
{
    return cdf(0.1, kQueueSeconds, percent, kLongestQueue);
}

WorkloadTable seren()
{
    return {
        {{{0.649,
           0.1,
           {{1, .62}, {2, .12}, {4, .025}, {8, .235}},
           run({25.2, 32.8, 37.4, 49.7, 67.2, 80.0, 88.8, 93.9, 96.5, 98.2, 99.1, 99.6, 99.8, 99.9,
                100}),
           queue({47.6, 65.3, 70.4, 75.5, 79.2, 88.8, 96.2, 99.0, 99.8})},
          {0.009,
           -0.35,
           {{40, .08}, {64, .25}, {128, .25}, {256, .24}, {512, .08}, {768, .07}, {1024, .03}},
           run({15.6, 20.5, 27.4, 34.9, 46.8, 61.8, 73.4, 80.5, 84.1, 86.6, 88.5, 91.1, 94.3, 97.2,
                98.8}),
           queue({72.0, 82.5, 86.2, 91.7, 94.4, 97.6, 99.1, 99.7, 99.9})},
          {0.149,
           0.6,
           {{1, .20}, {2, .16}, {4, .03}, {8, .54}, {16, .07}},
           run({12.6, 21.7, 27.6, 37.5, 57.6, 78.8, 89.3, 94.5, 97.3, 98.6, 99.2, 99.5, 99.8, 99.9,
                100}),
           queue({60.5, 76.3, 78.9, 82.7, 85.0, 92.3, 97.9, 99.4, 99.8})},
          {0.029,
           0.75,
           {{1, .40}, {2, .17}, {4, .05}, {8, .33}, {16, .05}},
           run({14.7, 27.4, 33.4, 40.8, 50.2, 66.8, 79.7, 85.6, 89.2, 91.3, 92.9, 97.3, 98.9, 99.5,
                99.8}),
           queue({72.7, 89.4, 91.0, 93.0, 93.8, 95.8, 96.8, 98.5, 99.3})},
          {0.019,
           0,
           {{1, .10},
            {2, .04},
            {4, .04},
            {8, .70},
            {16, .04},
            {32, .03},
            {64, .02},
            {128, .015},
            {256, .01},
            {1024, .005}},
           run({19.3, 29.8, 39.1, 52.2, 68.4, 81.9, 91.2, 95.5, 97.4, 98.3, 98.8, 99.2, 99.6, 99.8,
                99.9}),
           queue({84.8, 95.6, 97.1, 98.4, 98.8, 99.5, 99.8, 99.9, 100})},
          {0.146,
           0.1,
           {{1, .65}, {2, .04}, {4, .02}, {8, .23}, {16, .06}},
           run({29.1, 39.0, 46.8, 58.9, 70.9, 79.5, 85.5, 89.2, 94.2, 95.3, 96.6, 98.0, 99.3, 99.6,
                99.8}),
           queue({72.7, 87.4, 90.2, 93.8, 94.9, 96.3, 96.7, 96.9, 97.3})}}},
        {{1, .515, .048, .035}, {32, .40, .20, .60}, {256, .30, .50, .90}, {1e12, .165, .75, .97}}};
}

WorkloadTable kalos()
{
    const auto unused = [] {
        return TypeTable{0, 0, {{1, 1}}, Cdf({{1, 0}, {2, 1}}), Cdf({{1, 0}, {2, 1}})};
    };
    return {
        {{{0.928,
           0.3,
           {{1, .93}, {2, .02}, {4, .02}, {8, .03}},
           run({1.5, 19.5, 39.9, 52.7, 71.8, 81.2, 87.0, 93.8, 98.1, 99.6, 99.8, 100, 100, 100,
                100}),
           queue({0, 5.7, 47.3, 65.4, 75.4, 89.5, 94.8, 99.2, 99.9})},
          {0.032,
           0,
           {{96, .05}, {128, .14}, {256, .20}, {512, .40}, {768, .06}, {1024, .15}},
           run({0.0, 4.2, 9.8, 14.4, 25.7, 43.8, 57.1, 65.4, 71.9, 76.9, 82.4, 87.8, 93.3, 96.7,
                98.9}),
           queue({0, 3.0, 67.6, 78.9, 87.8, 95.5, 98.3, 99.5, 100})},
          unused(),
          unused(),
          {0.027,
           0,
           {{1, .08},
            {8, .14},
            {32, .10},
            {64, .10},
            {128, .18},
            {256, .12},
            {512, .18},
            {1024, .10}},
           run({1.3, 8.4, 17.3, 25.9, 38.7, 70.8, 88.8, 97.2, 99.1, 99.6, 99.8, 100, 100, 100,
                100}),
           queue({0, 6.9, 66.3, 76.5, 84.4, 92.4, 99.4, 100, 100})},
          {0.013,
           0,
           {{1, .20}, {2, .10}, {4, .10}, {8, .20}, {16, .10}, {32, .15}, {64, .15}},
           run({2.0, 20.4, 29.2, 35.2, 46.4, 64.8, 75.2, 79.2, 84.0, 85.2, 87.6, 90.0, 92.8, 95.6,
                98.8}),
           queue({0, 11.6, 76.4, 85.2, 90.0, 97.2, 98.0, 99.2, 99.6})}}},
        {{1, .559, .036, .08}, {32, .40, .20, .30}, {256, .30, .45, .60}, {1e12, .315, .61, .87}}};
}

}  // namespace

double Cdf::at(double x) const
{
    if (x <= m_points.front().x)
        return m_points.front().share;
    for (size_t i = 1; i < m_points.size(); ++i) {
        const auto& [x0, share0] = m_points[i - 1];
        const auto& [x1, share1] = m_points[i];
        if (x <= x1)
            return share0 + (share1 - share0) * std::log(x / x0) / std::log(x1 / x0);
    }
    return 1;
}

double Cdf::inverse(double share) const
{
    for (size_t i = 1; i < m_points.size(); ++i) {
        const auto& [x0, share0] = m_points[i - 1];
        const auto& [x1, share1] = m_points[i];
        if (share <= share1 && share1 > share0)
            return x0 * std::pow(x1 / x0, std::max(0.0, share - share0) / (share1 - share0));
    }
    return m_points.back().x;
}

double Cdf::mean() const
{
    double sum = 0;
    for (size_t i = 1; i < m_points.size(); ++i) {
        const auto& [x0, share0] = m_points[i - 1];
        const auto& [x1, share1] = m_points[i];
        sum += (share1 - share0) * (x1 - x0) / std::log(x1 / x0);
    }
    return sum;
}

const WorkloadTable& workloadTable(WorkloadProfile profile)
{
    static const WorkloadTable tables[] = {seren(), kalos()};
    return tables[size_t(profile)];
}

}  // namespace yard::scheduler

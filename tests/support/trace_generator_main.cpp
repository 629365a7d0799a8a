#include <cstdio>
#include <string>

#include "tests/support/trace_generator.h"

/// trace_generator DIRECTORY: writes seren.csv and kalos.csv for the benchmarks.
int main(int argc, char** argv)
{
    if (argc != 2) {
        std::fputs("usage: trace_generator DIRECTORY\n", stderr);
        return 1;
    }
    for (const char* const cluster : {"Seren", "Kalos"}) {
        const auto jobs = yard::test::generateTrace(cluster, 1, YARD_FIXTURES);
        const std::string path =
            std::string(argv[1]) + (cluster[0] == 'S' ? "/seren.csv" : "/kalos.csv");
        if (!yard::test::writeTrace(jobs, cluster, path)) {
            std::fprintf(stderr, "%s cannot be written\n", path.c_str());
            return 1;
        }
    }
    return 0;
}

#include "tests/bench/diagnosis/generated_log.h"

#include <fmt/format.h>

#include <cstdio>
#include <iterator>
#include <random>

namespace {

using Random = std::mt19937_64;
using Text = fmt::memory_buffer;

double between(Random& random, double low, double high)
{
    return low + (high - low) * double(random() % 1'000'000) / 1e6;
}

void writeStep(Text& out, Random& random, uint64_t step)
{
    const double loss = 1.9 + between(random, -0.02, 0.02);
    const auto rank = random() % 64;
    switch (random() % 6) {
        case 0:
            fmt::format_to(
                std::back_inserter(out),
                "63:  iteration {:>8}/  900000 | consumed samples: {:>12} | elapsed time "
                "per iteration (ms): {:.1f} | learning rate: 2.900E-04 | global batch "
                "size:   512 | lm loss: {:.6E} | loss scale: 1.0 | grad norm: {:.3f} | "
                "number of skipped iterations:   0 | number of nan iterations:   0 |\n",
                step, step * 512, between(random, 7000, 7400), loss, between(random, 0.2, 0.5));
            return;
        case 1:
            fmt::format_to(std::back_inserter(out),
                           "2024-07-14 05:{:02}:{:02},{:03} INFO training_internlm.py:413 in "
                           "record_current_batch_training_metrics -- tflops={:.4f} step={} "
                           "loss={:.6f} tgs (tokens/gpu/second)={:.2f} lr=0.0003\n",
                           step / 60 % 60, step % 60, random() % 1000, between(random, 180, 190),
                           step, loss, between(random, 3900, 4000));
            return;
        case 2:
            fmt::format_to(std::back_inserter(out),
                           "[rank{}]: [2024-07-14 05:00:{:02}] data queue depth {} fetch {:.3f} ms "
                           "shard part-{:05}.bin offset {}\n",
                           rank, step % 60, random() % 64, between(random, 0.1, 9),
                           random() % 90000, random() % 1'000'000'000);
            return;
        case 3:
            fmt::format_to(std::back_inserter(out),
                           "gpu-r07-n{:02}:{}:{} [{}] NCCL INFO Channel {:02}/0 : {}[{}] -> {}[{}] "
                           "[send] via NET/IB/{}/GDRDMA\n",
                           rank / 8 + 1, 5000 + rank, 7000 + rank, rank % 8, random() % 32, rank,
                           rank % 8, (rank + 8) % 64, rank % 8, rank % 4);
            return;
        case 4:
            fmt::format_to(
                std::back_inserter(out),
                "\r {:>3}%|███       | {}/900000 [{}:{:02}:{:02}<99:00:00, {:.2f}s/it]\n",
                step / 9000, step, step / 3600, step / 60 % 60, step % 60, between(random, 7, 7.5));
            return;
        default:
            fmt::format_to(std::back_inserter(out),
                           "{{'loss': {:.4f}, 'grad_norm': {:.6f}, 'learning_rate': 9.69e-06, "
                           "'epoch': {:.2f}, 'mem_gib': {:.1f}}}\n",
                           loss, between(random, 0.2, 0.9), double(step) / 9e5,
                           between(random, 60, 62));
    }
}

void writeNoise(Text& out, Random& random)
{
    switch (random() % 4) {
        case 0:
            fmt::format_to(std::back_inserter(out),
                           "2024-07-14 05:04:00 WARN ckpt-uploader: PUT step{} failed (Read timed "
                           "out), retrying in 2s\n",
                           random() % 100'000);
            return;
        case 1:
            fmt::format_to(std::back_inserter(out),
                           "2024-07-14 05:04:00 INFO health: ecc_uncorrected=0 nvlink_errors=0 "
                           "xid_errors=0 nccl_timeouts=0 error_rate 0.0000 node {}\n",
                           random() % 8);
            return;
        case 2:
            fmt::format_to(std::back_inserter(out),
                           "/opt/lib/module_{}.py:{}: FutureWarning: this call is deprecated\n",
                           random() % 20, random() % 900);
            return;
        default:
            fmt::format_to(std::back_inserter(out),
                           "saving checkpoint at iteration {} to /mnt/ckpt\n", random() % 100'000);
    }
}

void writeEnd(Text& out)
{
    fmt::format_to(
        std::back_inserter(out),
        "43: [rank43]:[E ProcessGroupNCCL.cpp:1414] [PG 3 Rank 5] Process group watchdog "
        "thread terminated with exception: CUDA error: uncorrectable ECC error "
        "encountered\n");
    for (int rank = 0; rank < 64; ++rank) {
        if (rank != 43)
            fmt::format_to(std::back_inserter(out),
                           "{0}: [rank{0}]:[E ProcessGroupNCCL.cpp:563] [Rank {0}] Watchdog caught "
                           "collective operation timeout: WorkNCCL(SeqNum=188213, "
                           "OpType=_ALLGATHER_BASE, NumelIn=16, NumelOut=32, Timeout(ms)=600000) "
                           "ran for 600411 milliseconds before timing out.\n",
                           rank);
    }
    fmt::format_to(std::back_inserter(out),
                   "srun: error: gpu-r07-n06: task 43: Aborted (core dumped)\n");
}

}  // namespace

bool writeLog(const std::string& path, uint64_t bytes, uint64_t seed)
{
    std::FILE* const file = std::fopen(path.c_str(), "wb");
    if (file == nullptr)
        return false;
    Random random(seed);
    Text out;
    uint64_t written = 0;
    bool isGood = true;
    for (int rank = 0; rank < 64; ++rank)
        fmt::format_to(std::back_inserter(out),
                       "{0}: 2024-07-14 05:00:12 rank {0} on gpu-r07-n{1:02} cuda:{2} pid {3}\n",
                       rank, rank / 8 + 1, rank % 8, 5000 + rank);
    for (uint64_t step = 1; written + out.size() < bytes; ++step) {
        writeStep(out, random, step);
        if (random() % 200 == 0)
            writeNoise(out, random);
        if (out.size() > (1u << 20)) {
            isGood = isGood && std::fwrite(out.data(), 1, out.size(), file) == out.size();
            written += out.size();
            out.clear();
        }
    }
    writeEnd(out);
    isGood = isGood && std::fwrite(out.data(), 1, out.size(), file) == out.size();
    return std::fclose(file) == 0 && isGood;
}

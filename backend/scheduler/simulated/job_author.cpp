#include "backend/scheduler/simulated/job_author.h"

#include <array>
#include <cstdio>

namespace yard::scheduler {
namespace {

constexpr int kUsers = 60;

struct Habit {
    const char* account;
    const char* qos;
    int priority;
    SimPartition partition;
    bool fromTheBack;
    int64_t limitSeconds;
};

// Pretraining has its quota at the front; what fills the gaps starts at the far end.
constexpr std::array<Habit, kWorkloadTypes> kHabits{{
    {"evaluation", "spot", 100, kEval, true, 4 * 3600},
    {"llm-pretrain", "reserved", 10'000, kTrain, false, 14 * 86400},
    {"llm-align", "normal", 1000, kBatch, true, 3 * 86400},
    {"multimodal", "normal", 1000, kBatch, true, 7 * 86400},
    {"research", "normal", 1500, kBatch, true, 86400},
    {"research", "normal", 1000, kBatch, true, 7 * 86400},
}};

const char* model(int gpus)
{
    return gpus >= 512   ? "123b"
           : gpus >= 256 ? "104b"
           : gpus >= 128 ? "65b"
           : gpus >= 64  ? "20b"
                         : "7b";
}

template <size_t N>
std::string oneOf(Random& random, const char* const (&words)[N])
{
    return words[random.below(N)];
}

std::string nameFor(Random& random, const JobDraw& draw)
{
    switch (draw.type) {
        case WorkloadType::Eval:
            return "eval-" + std::to_string(2 + 2 * random.below(80)) + "k";
        case WorkloadType::Pretrain:
            return std::string("pt-") + model(draw.gpus) + "-v" +
                   std::to_string(1 + random.below(3));
        case WorkloadType::Sft:
            return oneOf(random, {"sft-20b-chat", "sft-7b-chat", "sft-7b-code", "sft-7b-math",
                                  "dpo-20b-chat"});
        case WorkloadType::Mllm:
            return oneOf(random, {"mm-7b-vl", "mm-20b-vl", "mm-7b-video"});
        case WorkloadType::Debug:
            return oneOf(random, {"dbg-loader", "dbg-pipeline", "dbg-nccl", "dbg-resume"});
        case WorkloadType::Other:
            break;
    }
    return oneOf(random, {"tokenize", "notebook", "reward-model", "bench-nccl", "convert-ckpt"});
}

}  // namespace

std::string JobAuthor::user(Random& random) const
{
    const double skew = random.unit();
    char text[8];
    std::snprintf(text, sizeof text, "u%04x",
                  unsigned(mix(m_seed + uint64_t(kUsers * skew * skew)) & 0xffff));
    return text;
}

void JobAuthor::write(Random& random, const JobDraw& draw, SimJob& job) const
{
    const Habit& habit = kHabits[size_t(draw.type)];
    job.plan = draw;
    job.priority = habit.priority;
    job.request.partition = habit.partition;
    job.request.gpus = draw.gpus;
    job.request.fromTheBack = habit.fromTheBack;
    job.runTime = SimTime(draw.runSeconds * double(kSecond));
    auto& shown = job.shown;
    shown.name = nameFor(random, draw);
    shown.user = user(random);
    shown.account = habit.account;
    shown.qos = habit.qos;
    shown.partition = kPartitionNames[habit.partition];
    shown.priority = habit.priority;
    shown.requeueable = draw.type != WorkloadType::Debug;
    shown.gpus = draw.gpus;
    shown.cpus = 16 * draw.gpus;
    shown.timeLimit.seconds = habit.limitSeconds;
    if (draw.runSeconds >= double(habit.limitSeconds))
        shown.timeLimit.seconds = 2 * int64_t(draw.runSeconds);
    if (draw.end == domain::JobState::Timeout)
        shown.timeLimit.seconds = std::max<int64_t>(1, int64_t(draw.runSeconds));
}

void JobAuthor::writePaths(SimJob& job)
{
    auto& shown = job.shown;
    shown.workDirectory = "/mnt/lustre/" + shown.user + "/" + shown.name;
    shown.standardOutput = shown.workDirectory + "/slurm-" +
                           (shown.array ? std::to_string(shown.array->job) + "_" +
                                              std::to_string(shown.array->task.value_or(0))
                                        : std::to_string(shown.id)) +
                           ".out";
}

}  // namespace yard::scheduler

#include "tests/support/sample_cluster.h"

#include <cmath>
#include <random>

#include "ui/model/hostlist.h"

namespace yard::test {
namespace {

using namespace model;

struct Plan {
    NodeCategory category = NodeCategory::Idle;
    QString job;
    float use = 0;
    float spread = 0.04F;
    int busy = 0;
};

Plan planOf(int i, int count, bool trouble)
{
    const auto in = [i, count](double from, double to) {
        return i > from * count && i <= to * count;
    };
    Plan plan;
    const auto running = [&](const char* job, float use, float spread) {
        plan = {NodeCategory::Allocated, QString::fromLatin1(job), use, spread, 8};
    };
    if (in(0, 0.4545))
        running("482790", 0.62F, 0.035F);
    else if (in(0.4545, 0.5664))
        running("482856", 0.41F, 0.05F);
    else if (in(0.5664, 0.6329))
        running("482913", 0.50F, 0.04F);
    else if (in(0.6329, 0.6608))
        running("482871", 0.47F, 0.07F);
    else if (in(0.6608, 0.7448))
        running("483020", 0.66F, 0.1F);
    else if (in(0.7448, 0.8566))
        plan = {NodeCategory::Mixed, QStringLiteral("483160_%1").arg(i % 40), 0.55F, 0.3F,
                i * 3 % 7 + 1};
    else if (in(0.8566, 0.8986))
        running("483171", 0.3F, 0.2F);
    if (!trouble)
        return plan;
    switch (i) {
        case 65:
        case 103:
        case 171:
            plan = {NodeCategory::Drained, {}, 0, 0, 0};
            break;
        case 163:
        case 262:
            plan = {NodeCategory::Down, {}, 0, 0, 0};
            break;
        case 164:
        case 261:
            plan = {NodeCategory::Maintenance, {}, 0, 0, 0};
            break;
        case 214:
            plan = {NodeCategory::Unknown, {}, 0, 0, 0};
            break;
        case 258:
        case 259:
        case 260:
            plan = {NodeCategory::Draining, QStringLiteral("483171"), 0.5F, 0.1F, 8};
            break;
        case 263:
        case 264:
        case 265:
            plan = {NodeCategory::Drained, {}, 0, 0, 0};
            break;
        case 270:
            plan = {NodeCategory::Rebooting, {}, 0, 0, 0};
            break;
        case 271:
            plan = {NodeCategory::Reserved, {}, 0, 0, 0};
            break;
        case 272:
            plan = {NodeCategory::PoweredOff, {}, 0, 0, 0};
            break;
        default:
            break;
    }
    return plan;
}

QString stateWords(NodeCategory category)
{
    switch (category) {
        case NodeCategory::Idle:
            return QStringLiteral("IDLE");
        case NodeCategory::Mixed:
            return QStringLiteral("MIXED");
        case NodeCategory::Allocated:
            return QStringLiteral("ALLOCATED");
        case NodeCategory::Draining:
            return QStringLiteral("ALLOCATED+DRAIN");
        case NodeCategory::Drained:
            return QStringLiteral("IDLE+DRAIN");
        case NodeCategory::Down:
            return QStringLiteral("DOWN*");
        case NodeCategory::Maintenance:
            return QStringLiteral("MAINT");
        case NodeCategory::Reserved:
            return QStringLiteral("RESERVED");
        case NodeCategory::Rebooting:
            return QStringLiteral("REBOOT");
        case NodeCategory::PoweredOff:
            return QStringLiteral("POWERED_DOWN");
        default:
            return QStringLiteral("UNKNOWN*");
    }
}

QString nodeName(int i, int count)
{
    return QStringLiteral("gpu%1").arg(i,
                                       count > 9999  ? 5
                                       : count > 999 ? 4
                                                     : 3,
                                       10, QLatin1Char('0'));
}

void describeTrouble(NodeInfo& node, int i)
{
    const QDateTime now = sampleNow();
    if (node.category == NodeCategory::Down) {
        node.reason = QStringLiteral("Not responding");
        node.reasonUser = QStringLiteral("slurm");
        node.reasonTime = now.addSecs(i == 163 ? -1980 : -29000);
    } else if (node.category == NodeCategory::Drained || node.category == NodeCategory::Draining) {
        node.reason = i == 171 ? QStringLiteral("yard:2231 NVLink error on GPU 3")
                               : QStringLiteral("HW-44%1 fan tray").arg(i);
        node.reasonUser = QStringLiteral("u51c8");
        node.reasonTime = now.addSecs(-i * 120);
        node.ownedByOperation = i == 171 ? 2231 : 0;
    } else if (node.category == NodeCategory::Maintenance) {
        node.reason = QStringLiteral("firmware, window of March");
        node.reasonUser = QStringLiteral("root");
        node.reasonTime = now.addSecs(-7200);
    }
}

QVector<NodeInfo> sampleNodes(const SampleOptions& options)
{
    QVector<NodeInfo> nodes;
    for (int i = 1; i <= options.nodes; ++i) {
        const Plan plan = planOf(i, options.nodes, options.withTrouble);
        NodeInfo node;
        node.name = nodeName(i, options.nodes);
        node.category = plan.category;
        node.stateText = stateWords(plan.category);
        node.usable = plan.category != NodeCategory::Down;
        node.partitions = {plan.category == NodeCategory::Mixed ? QStringLiteral("eval")
                                                                : QStringLiteral("train")};
        node.switchName = QStringLiteral("sw%1").arg((i - 1) / options.nodesPerSwitch + 1, 2, 10,
                                                     QLatin1Char('0'));
        node.rack = QStringLiteral("r%1").arg((i - 1) / 8 + 1, 2, 10, QLatin1Char('0'));
        node.gpusTotal = options.gpusPerNode;
        node.gpusAllocated = std::min(plan.busy, options.gpusPerNode);
        for (int gpu = 0; gpu < node.gpusAllocated; ++gpu)
            node.gpuIndicesInUse.push_back(gpu);
        node.gpuType = QStringLiteral("a100");
        node.gpuModel = QStringLiteral("NVIDIA A100-SXM4-80GB");
        for (int gpu = 0; gpu < options.gpusPerNode; ++gpu) {
            node.gpuUuids
                << QStringLiteral("GPU-5c1e%1-7f%2").arg(i, 4, 16, QLatin1Char('0')).arg(gpu);
            node.gpuPcis
                << QStringLiteral("0000:%1:00.0").arg(0x07 + gpu * 0x20, 2, 16, QLatin1Char('0'));
        }
        node.cpusTotal = 128;
        node.cpusAllocated = plan.busy * 16;
        node.cpuLoad = plan.busy * 4.3;
        node.memoryTotalMib = 1'031'000;
        node.memoryAllocatedMib = plan.busy * 120'000;
        describeTrouble(node, i);
        nodes.push_back(node);
    }
    return nodes;
}

JobInfo makeJob(const QString& displayId, const QString& name, const QString& user, JobState state)
{
    JobInfo job;
    job.displayId = displayId;
    job.id = displayId.section(QLatin1Char('_'), 0, 0).toULongLong();
    job.name = name;
    job.user = user;
    job.account = QStringLiteral("lm-code");
    job.partition = QStringLiteral("train");
    job.qos = QStringLiteral("normal");
    job.state = state;
    return job;
}

QString nameOf(const QString& id)
{
    static const QHash<QString, QString> names = {
        {QStringLiteral("482790"), QStringLiteral("pt-123b-v2")},
        {QStringLiteral("482856"), QStringLiteral("pt-20b-moe")},
        {QStringLiteral("482913"), QStringLiteral("pt-7b-code")},
        {QStringLiteral("482871"), QStringLiteral("mllm-26b-align")},
        {QStringLiteral("483020"), QStringLiteral("sft-20b-chat")},
        {QStringLiteral("483171"), QStringLiteral("dbg-shape-check")}};
    return names.value(id, QStringLiteral("eval-92k"));
}

QVector<JobInfo> sampleJobs(const SampleOptions& options, const QVector<NodeInfo>& nodes)
{
    const QDateTime now = sampleNow();
    QHash<QString, JobInfo> running;
    QHash<QString, QStringList> hosts;
    QStringList order;
    for (int i = 1; i <= options.nodes; ++i) {
        const Plan plan = planOf(i, options.nodes, options.withTrouble);
        if (plan.job.isEmpty())
            continue;
        if (!running.contains(plan.job)) {
            running.insert(
                plan.job, makeJob(plan.job, nameOf(plan.job),
                                  QStringLiteral("u%1").arg(plan.job.right(3)), JobState::Running));
            order << plan.job;
        }
        hosts[plan.job] << nodes[i - 1].name;
        running[plan.job].gpus += nodes[i - 1].gpusAllocated;
        running[plan.job].gpuIndices.insert(nodes[i - 1].name, nodes[i - 1].gpuIndicesInUse);
    }
    QVector<JobInfo> jobs;
    for (const QString& id : order) {
        JobInfo job = running.value(id);
        job.nodes = foldHostlist(hosts.value(id));
        job.nodeCount = int(hosts.value(id).size());
        job.stateText = QStringLiteral("RUNNING");
        job.submitTime = now.addSecs(-job.gpus * 400 - 900);
        job.startTime = job.submitTime.addSecs(12);
        job.timeLimitSeconds = 7 * 86400;
        jobs.push_back(job);
    }
    const char* waiting[] = {"sft-7b-math", "sft-7b-math-b", "pt-13b-ablate",
                             "eval-184k",   "mllm-26b-vit",  "tok-shards"};
    for (int i = 0; i < 138; ++i) {
        JobInfo job = makeJob(QString::number(483180 + i), QString::fromLatin1(waiting[i % 6]),
                              QStringLiteral("u%1").arg(100 + i % 7), JobState::Pending);
        job.stateText = QStringLiteral("PENDING");
        job.reason = i % 3 ? QStringLiteral("Priority") : QStringLiteral("Resources");
        job.submitTime = now.addSecs(-(i * i % 3000) - 20);
        job.gpus = i % 6 == 2 ? 512 : 1 << (i % 6);
        jobs.push_back(job);
    }
    const JobState ends[] = {JobState::Completed,  JobState::Failed,  JobState::Completed,
                             JobState::Cancelled,  JobState::Timeout, JobState::NodeFail,
                             JobState::OutOfMemory};
    for (int i = 0; i < 140; ++i) {
        JobInfo job = makeJob(QString::number(482600 - i), QStringLiteral("eval-60k-%1").arg(i),
                              QStringLiteral("u3f2a"), ends[i % 7]);
        job.stateText = QStringLiteral("ENDED");
        job.submitTime = now.addSecs(-i * 300 - 1300);
        job.startTime = job.submitTime.addSecs(2);
        job.endTime = job.startTime.addSecs(240);
        job.nodes = nodes.value(215 % nodes.size()).name;
        job.nodeCount = 1;
        job.gpus = 1;
        jobs.push_back(job);
    }
    return jobs;
}

void fillColumns(ClusterUpdate& update, const SampleOptions& options, int seed)
{
    std::mt19937 random{std::uint32_t(seed)};
    std::normal_distribution<float> normal;
    const int count = options.nodes * options.gpusPerNode;
    std::array<QVector<float>, kGpuMetricCount> columns;
    for (QVector<float>& column : columns)
        column.fill(kNoReading, count);
    update.readingAgeSeconds.fill(2, options.nodes);
    for (int i = 1; i <= options.nodes; ++i) {
        const Plan plan = planOf(i, options.nodes, options.withTrouble);
        const bool dead = plan.category == NodeCategory::Down ||
                          plan.category == NodeCategory::Unknown ||
                          plan.category == NodeCategory::PoweredOff;
        if (dead)
            update.readingAgeSeconds[i - 1] = -1;
        else if (options.withTrouble && i == 209)
            update.readingAgeSeconds[i - 1] = 94;
        for (int gpu = 0; gpu < options.gpusPerNode && !dead; ++gpu) {
            const int at = (i - 1) * options.gpusPerNode + gpu;
            const float use = gpu < plan.busy
                                  ? std::clamp(plan.use + normal(random) * plan.spread, 0.01F, 1.0F)
                                  : 0.0F;
            const float odd = options.withTrouble && (at == 375 || at == 767) ? 0.6F : 1.0F;
            const auto put = [&](GpuMetric metric, float value) {
                columns[size_t(metric)][at] = value;
            };
            put(GpuMetric::SmActivity, use * 100 * odd);
            put(GpuMetric::GpuUtilization, std::min(100.0F, use * 140));
            put(GpuMetric::TensorActivity, use * 45);
            put(GpuMetric::MemoryTotal, 81920);
            put(GpuMetric::MemoryUsed, use > 0 ? 60000 + use * 18000 : 400);
            put(GpuMetric::Power, 62 + use * 480 + normal(random) * 4);
            put(GpuMetric::CoreTemperature, 32 + use * 40 + normal(random) * 2);
            put(GpuMetric::MemoryTemperature, 36 + use * 46 + normal(random) * 2);
            put(GpuMetric::SmClock, use > 0 ? 1410 : 210);
            put(GpuMetric::NvlinkBandwidth, use * 3e11F);
        }
    }
    for (int metric = 0; metric < kGpuMetricCount; ++metric)
        update.gpuColumns.push_back({metric, columns[size_t(metric)], {}});
    QVector<float> power(options.nodes, 2930.0F);
    update.nodeColumns.push_back({int(NodeMetric::Power), power, {}});
    update.readingIntervalSeconds = 15;
}

void fillHealth(ClusterUpdate& update, const SampleOptions& options)
{
    const QDateTime now = sampleNow();
    for (int i = 1; i <= options.nodes && options.nodes <= 1000; ++i) {
        const Plan plan = planOf(i, options.nodes, options.withTrouble);
        TargetInfo target;
        target.host = nodeName(i, options.nodes);
        target.target = target.host + QStringLiteral(":9400");
        target.kind = QStringLiteral("dcgm");
        target.up = plan.category != NodeCategory::Down && plan.category != NodeCategory::Unknown;
        target.lastSuccess = now.addSecs(target.up ? -2 : -3120);
        target.error = target.up ? QString() : QStringLiteral("connection refused");
        target.seconds = 0.04F + float(i % 17) * 0.01F;
        target.samples = 120;
        target.badLines = options.withTrouble && i == 31 ? 3 : 0;
        if (target.badLines)
            target.firstBadLine = QStringLiteral(
                "gpu031:9400, line 212: no value after DCGM_FI_DEV_POWER_USAGE. The line was "
                "skipped.");
        update.targets.push_back(target);
    }
    SchedulerInfo scheduler;
    scheduler.kind = QStringLiteral("slurm");
    scheduler.version = QStringLiteral("22.05.8");
    scheduler.up = true;
    scheduler.lastSuccess = now.addSecs(-1);
    scheduler.replySeconds = 0.014F;
    scheduler.callsPerMinute = 6;
    scheduler.pollSeconds = 10;
    update.scheduler = scheduler;
    for (int i = 0; i < 288; ++i) {
        TrendInfo point;
        point.at = now.addSecs(-(287 - i) * 300);
        const float wave = std::sin(float(i) / 21.0F);
        point.gpusInUse = 1900 + 90 * wave - (i > 190 && i < 212 ? 260 : 0);
        point.smActivityMedian = 58 + 5 * wave;
        point.jobsWaiting = 110 + 40 * std::sin(float(i) / 33.0F);
        point.powerKw = 820 + 40 * wave;
        point.faults = i > 190 && i < 212 ? 2 : 1;
        point.nodesOut = 10;
        point.jobsRunning = 410;
        update.trend.push_back(point);
    }
}

void fillTrouble(ClusterUpdate& update)
{
    const QDateTime now = sampleNow();
    update.hasFaults = true;
    update.faults = {
        {FaultKind::Xid, QStringLiteral("gpu171"), QStringLiteral("0000:67:00"), 3, 74,
         QStringLiteral("NVLink: fatal error detected on link 7"), now.addSecs(-854), 1},
        {FaultKind::Xid, QStringLiteral("gpu103"), QStringLiteral("0000:c7:00"), 6, 48,
         QStringLiteral("DBE (double bit error) ECC"), now.addSecs(-21000), 2},
        {FaultKind::Xid, QStringLiteral("gpu065"), QStringLiteral("0000:27:00"), 1, 79,
         QStringLiteral("GPU has fallen off the bus"), now.addSecs(-33000), 1}};
    OperationInfo doubt;
    doubt.id = 2236;
    doubt.requestId = QStringLiteral("sample-2236");
    doubt.kind = ActionKind::Drain;
    doubt.user = QStringLiteral("u07e4");
    doubt.reason = QStringLiteral("fan tray FT-22");
    doubt.requestedAt = now.addSecs(-65);
    doubt.state = OperationState::InDoubt;
    doubt.targets = {{QStringLiteral("gpu189"), TargetState::Requested, QStringLiteral("ALLOCATED"),
                      QStringLiteral("ALLOCATED")}};
    doubt.targetsFolded = QStringLiteral("gpu189");
    doubt.message = QStringLiteral("slurmctld gave no answer for 10 s");
    OperationInfo refused = doubt;
    refused.id = 2235;
    refused.requestId = QStringLiteral("sample-2235");
    refused.state = OperationState::Refused;
    refused.requestedAt = now.addSecs(-400);
    refused.finishedAt = now.addSecs(-399);
    refused.targetsFolded = QStringLiteral("gpu014");
    refused.targets = {{QStringLiteral("gpu014"), TargetState::Refused, QStringLiteral("ALLOCATED"),
                        QStringLiteral("ALLOCATED")}};
    refused.message = QStringLiteral("Invalid user id");
    update.operations = {doubt, refused};
}

}  // namespace

QDateTime sampleNow()
{
    return QDateTime::fromString(QStringLiteral("2026-03-10T19:14:22Z"), Qt::ISODate);
}

ClusterUpdate sampleUpdate(const SampleOptions& options)
{
    ClusterUpdate update;
    update.full = true;
    update.revision = 1;
    update.at = sampleNow();
    update.cluster = QStringLiteral("Seren");
    update.timeZone = "Asia/Shanghai";
    update.user = QStringLiteral("u07e4");
    update.role = Role::Operator;
    update.nodes = sampleNodes(options);
    update.jobs = sampleJobs(options, update.nodes);
    update.hasClusterParts = true;
    update.partitions = {{QStringLiteral("train"), QStringLiteral("UP"), true, {}},
                         {QStringLiteral("eval"), QStringLiteral("UP"), false, {}}};
    update.hasFaults = true;
    fillColumns(update, options, 7);
    fillHealth(update, options);
    if (options.withTrouble)
        fillTrouble(update);
    return update;
}

ClusterUpdate sampleReadings(const SampleOptions& options, quint64 revision, int seed)
{
    ClusterUpdate update;
    update.baseRevision = revision;
    update.revision = revision + 1;
    update.at = sampleNow().addSecs(1);
    fillColumns(update, options, seed);
    return update;
}

}  // namespace yard::test

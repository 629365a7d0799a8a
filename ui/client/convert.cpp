#include "ui/client/convert.h"

#include "ui/client/convert_cluster.h"

namespace yard::client {
namespace {

model::ClusterUpdate::Column toColumn(int metric,
                                      const google::protobuf::RepeatedField<float>& values,
                                      const google::protobuf::RepeatedField<uint32_t>& index)
{
    model::ClusterUpdate::Column column;
    column.metric = metric;
    column.values = QVector<float>(values.begin(), values.end());
    column.index = QVector<quint32>(index.begin(), index.end());
    return column;
}

void addReadings(const v1::Update& wire, ValuePool& pool, model::ClusterUpdate& update)
{
    for (const auto& column : wire.gpu_columns())
        update.gpuColumns.append(toColumn(int(column.metric()), column.values(), column.index()));
    for (const auto& column : wire.node_columns())
        update.nodeColumns.append(toColumn(int(column.metric()), column.values(), column.index()));
    update.readingAgeSeconds =
        QVector<float>(wire.reading_age_s().begin(), wire.reading_age_s().end());
    update.readingIntervalSeconds = wire.reading_interval_s();
    update.gpuIdentities.reserve(wire.gpu_identities_size());
    for (const auto& gpus : wire.gpu_identities()) {
        update.gpuIdentities.append({int(gpus.node_index()), texts(gpus.uuid()),
                                     pool.texts(gpus.pci()), pool.text(gpus.model())});
    }
}

void addHealth(const v1::Update& wire, model::ClusterUpdate& update)
{
    update.hasFaults = wire.has_faults();
    for (const auto& fault : wire.faults())
        update.faults.append(toFault(fault));
    for (const auto& target : wire.targets())
        update.targets.append(toTarget(target));
    update.removedTargets = texts(wire.removed_targets());
    if (wire.has_scheduler())
        update.scheduler = toScheduler(wire.scheduler());
    for (const auto& right : wire.rights())
        update.rights.append({text(right.action()), right.allowed(), text(right.detail())});
    if (wire.has_daemon()) {
        QStringList troubles;
        if (!wire.daemon().journal_ok())
            troubles << QStringLiteral("Actions are refused: %1")
                            .arg(text(wire.daemon().journal_error()));
        for (const std::string* error :
             {&wire.daemon().audit_error(), &wire.daemon().history_error()})
            if (!error->empty())
                troubles << text(*error);
        update.daemonTroubles = troubles;
    }
    for (const auto& point : wire.trend())
        update.trend.append(toTrend(point));
}

}  // namespace

model::ClusterUpdate toUpdate(const v1::Update& wire, ValuePool& pool)
{
    model::ClusterUpdate update;
    update.full = wire.base_revision() == 0;
    update.revision = wire.revision();
    update.baseRevision = wire.base_revision();
    update.at = time(wire.time_us());
    update.cluster = text(wire.cluster());
    update.timeZone = QByteArray::fromStdString(wire.time_zone());
    update.user = text(wire.you().user());
    update.role = bounded<model::Role>(wire.you().role(), model::Role::Admin, model::Role::None);
    update.demo = wire.demo();

    update.nodes.reserve(wire.nodes_size());
    for (const auto& node : wire.nodes())
        update.nodes.append(toNode(node, pool));
    update.nodeIndex = QVector<int>(wire.node_index().begin(), wire.node_index().end());
    update.jobs.reserve(wire.jobs_size());
    for (const auto& job : wire.jobs())
        update.jobs.append(toJob(job, pool));
    for (const auto& key : wire.removed_jobs())
        update.removedJobs.append({key.id(), milliseconds(key.submit_time_us())});
    update.hasClusterParts = wire.has_cluster_parts() || update.full;
    for (const auto& part : wire.partitions()) {
        update.partitions.append(
            {text(part.name()), text(part.state()), part.is_default(), text(part.nodes())});
    }
    for (const auto& part : wire.switches()) {
        update.switches.append(
            {text(part.name()), part.level(), text(part.nodes()), texts(part.children())});
    }
    addReadings(wire, pool, update);
    addHealth(wire, update);
    for (const auto& operation : wire.operations())
        update.operations.append(toOperation(operation));
    return update;
}

}  // namespace yard::client

#include "backend/store/state_body.h"

#include <concepts>
#include <cstring>

#include "backend/domain/hostlist.h"
#include "backend/store/time_us.h"

namespace yard::store {
namespace {

using domain::foldHostlist;

uint64_t zigzag(int64_t value)
{
    return uint64_t(value) << 1 ^ uint64_t(value >> 63);
}

int64_t fromZigzag(uint64_t value)
{
    return int64_t(value >> 1) ^ -int64_t(value & 1);
}

class Packer {
public:
    std::string take() { return std::move(m_bytes); }

    template <typename T>
    requires std::integral<T> || std::is_enum_v<T>
    void operator()(const T& value)
    {
        uint64_t rest = zigzag(int64_t(value));
        for (; rest >= 0x80; rest >>= 7)
            m_bytes.push_back(char(rest | 0x80));
        m_bytes.push_back(char(rest));
    }
    void operator()(const Time& time) { (*this)(toMicroseconds(time)); }
    void operator()(const std::string& text)
    {
        (*this)(int64_t(text.size()));
        m_bytes += text;
    }
    template <typename T>
    void operator()(const std::optional<T>& value)
    {
        (*this)(value.has_value());
        if (value)
            (*this)(*value);
    }
    template <typename T>
    void operator()(const std::vector<T>& list)
    {
        (*this)(int64_t(list.size()));
        for (const T& item : list)
            (*this)(item);
    }
    template <typename T>
    requires std::is_class_v<T>
    void operator()(const T& value) { fields(*this, value); }
    void hosts(const std::vector<std::string>& list) { (*this)(foldHostlist(list)); }
    // Most nodes of a job have the same GPUs.
    void indices(const std::map<std::string, std::vector<int>>& nodes)
    {
        std::map<std::vector<int>, std::vector<std::string>> alike;
        for (const auto& [node, gpus] : nodes)
            alike[gpus].push_back(node);
        (*this)(int64_t(alike.size()));
        for (const auto& [gpus, names] : alike) {
            (*this)(gpus);
            hosts(names);
        }
    }

private:
    std::string m_bytes;
};

class Unpacker {
public:
    explicit Unpacker(std::string_view bytes)
        : m_rest(bytes)
    {
    }
    bool isWhole() const { return m_whole; }

    template <typename T>
    requires std::integral<T> || std::is_enum_v<T>
    void operator()(T& value)
    {
        if (m_rest.empty())
            return;  // of an earlier version
        uint64_t number = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            if (m_rest.empty()) {
                m_whole = false;
                return;
            }
            const auto byte = uint8_t(m_rest.front());
            m_rest.remove_prefix(1);
            number |= uint64_t(byte & 0x7F) << shift;
            if (byte < 0x80) {
                value = T(fromZigzag(number));
                return;
            }
        }
        m_whole = false;
    }
    void operator()(Time& time)
    {
        int64_t microseconds = toMicroseconds(time);
        (*this)(microseconds);
        time = fromMicroseconds(microseconds);
    }
    void operator()(std::string& text)
    {
        const size_t size = count();
        text = m_rest.substr(0, size);
        m_rest.remove_prefix(size);
    }
    template <typename T>
    void operator()(std::optional<T>& value)
    {
        bool has = false;
        (*this)(has);
        if (has)
            (*this)(value.emplace());
    }
    template <typename T>
    void operator()(std::vector<T>& list)
    {
        list.resize(count());
        for (T& item : list)
            (*this)(item);
    }
    template <typename T>
    requires std::is_class_v<T>
    void operator()(T& value) { fields(*this, value); }
    void hosts(std::vector<std::string>& list)
    {
        std::string folded;
        (*this)(folded);
        if (folded.empty())
            return;
        auto expanded = domain::expandHostlist(folded);
        m_whole = m_whole && expanded.ok();
        if (expanded.ok())
            list = *std::move(expanded);
    }
    void indices(std::map<std::string, std::vector<int>>& nodes)
    {
        for (size_t groups = count(); groups > 0; --groups) {
            std::vector<int> gpus;
            std::vector<std::string> names;
            (*this)(gpus);
            hosts(names);
            for (const std::string& name : names)
                nodes[name] = gpus;
        }
    }

private:
    /// A number of things that take a byte each at least.
    size_t count()
    {
        int64_t size = 0;
        (*this)(size);
        if (size >= 0 && size_t(size) <= m_rest.size())
            return size_t(size);
        m_whole = false;
        return 0;
    }

    std::string_view m_rest;
    bool m_whole = true;
};

// One list of fields for both ways. Append only.
template <typename Io, typename T>
requires std::same_as<std::remove_const_t<T>, domain::Node>
void fields(Io& io, T& node)
{
    io(node.name), io(node.state), io(node.flags), io(node.stateText);
    io(node.reason), io(node.reasonUser), io(node.reasonTime);
    io(node.partitions), io(node.switchName), io(node.rack), io(node.reservation);
    io(node.comment), io(node.version), io(node.bootTime);
    io(node.cpusTotal), io(node.memoryTotalMib), io(node.gpusTotal), io(node.gpuType);
}

template <typename Io, typename T>
requires std::same_as<std::remove_const_t<T>, domain::ArrayPlace>
void fields(Io& io, T& place)
{
    io(place.job), io(place.task), io(place.pending), io(place.pendingCount);
}

template <typename Io, typename T>
requires std::same_as<std::remove_const_t<T>, domain::HetPlace>
void fields(Io& io, T& place)
{
    io(place.leader), io(place.offset);
}

template <typename Io, typename T>
requires std::same_as<std::remove_const_t<T>, domain::ExitStatus>
void fields(Io& io, T& exit)
{
    io(exit.code), io(exit.signal);
}

template <typename Io, typename T>
requires std::same_as<std::remove_const_t<T>, domain::TimeLimit>
void fields(Io& io, T& limit)
{
    io(limit.unlimited), io(limit.seconds);
}

template <typename Io, typename T>
requires std::same_as<std::remove_const_t<T>, KeptJob>
void fields(Io& io, T& kept)
{
    auto& job = kept.job;
    io(job.id), io(job.displayId), io(job.array), io(job.het);
    io(job.name), io(job.user), io(job.account), io(job.partition), io(job.qos), io(job.comment);
    io(job.state), io(job.stateFlags), io(job.stateText), io(job.reason), io(job.exit);
    io(job.cancelledByUid), io(job.restarts), io(job.held), io(job.requeueable);
    io(job.submitTime), io(job.startTime), io(job.endTime), io(job.timeLimit);
    io.hosts(job.nodes);
    io(job.excludedNodes), io(job.requiredNodes), io(job.nodeCount), io(job.cpus), io(job.gpus);
    io.indices(job.gpuIndices);
    io(job.workDirectory), io(job.standardOutput), io(job.dependency);
    io(kept.previousJob), io(kept.nextJob);
}

template <typename Io, typename T>
requires std::same_as<std::remove_const_t<T>, domain::Partition>
void fields(Io& io, T& partition)
{
    io(partition.name), io(partition.state), io(partition.isDefault), io(partition.maxTime);
    io.hosts(partition.nodes);
}

template <typename Io, typename T>
requires std::same_as<std::remove_const_t<T>, domain::Reservation>
void fields(Io& io, T& reservation)
{
    io(reservation.name);
    io.hosts(reservation.nodes);
    io(reservation.flags), io(reservation.users), io(reservation.start), io(reservation.end);
}

template <typename Io, typename T>
requires std::same_as<std::remove_const_t<T>, domain::Switch>
void fields(Io& io, T& item)
{
    io(item.name), io(item.level);
    io.hosts(item.nodes);
    io(item.children);
}

template <typename Io, typename T>
requires std::same_as<std::remove_const_t<T>, KeptParts>
void fields(Io& io, T& parts)
{
    io(parts.cluster), io(parts.partitions), io(parts.reservations), io(parts.switches);
}

template <typename T>
std::string pack(const T& value)
{
    Packer packer;
    fields(packer, value);
    return packer.take();
}

template <typename T>
StatusOr<T> unpack(std::string_view body)
{
    Unpacker unpacker(body);
    T value;
    fields(unpacker, value);
    if (!unpacker.isWhole())
        return absl::DataLossError("A state in the journal cannot be read.");
    return value;
}

}  // namespace

std::string packBody(const domain::Node& node)
{
    return pack(node);
}

std::string packBody(const KeptJob& job)
{
    return pack(job);
}

std::string packBody(const KeptParts& parts)
{
    return pack(parts);
}

StatusOr<domain::Node> unpackNode(std::string_view body)
{
    return unpack<domain::Node>(body);
}

StatusOr<KeptJob> unpackJob(std::string_view body)
{
    return unpack<KeptJob>(body);
}

StatusOr<KeptParts> unpackParts(std::string_view body)
{
    return unpack<KeptParts>(body);
}

}  // namespace yard::store

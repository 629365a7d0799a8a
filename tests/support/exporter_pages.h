#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace yard::test {

/// What one GPU of a fake node reports now.
struct FakeGpu {
    int index = 0;
    std::string uuid;
    std::string pci;         ///< as the exporter writes it: "00000000:07:00.0"
    double utilization = 0;  ///< 0 to 1
    int coreCelsius = 0;
    int memoryCelsius = 0;
    double watts = 0;
    double energyMillijoules = 0;
    int usedMib = 0;
    int freeMib = 0;
    int smMhz = 0;
    double nvlinkMebibytes = 0;  ///< counter
    int xid = 0;
};

/// A node that lives: its values follow slow waves, its counters only grow.
class FakeHost {
public:
    FakeHost(std::string name, size_t number, int gpus);

    const std::string& name() const { return m_name; }
    const std::vector<FakeGpu>& gpus() const { return m_gpus; }
    double infinibandBytes() const { return m_infinibandBytes; }

    void advance(double seconds);  ///< does nothing while the values are held
    void holdValues(bool hold) { m_held = hold; }
    void blankValues(bool blank) { m_blank = blank; }
    void raiseXid(int gpu, int code);
    void loseGpu(int gpu);
    /// Counters start again; indices and PCI addresses change places, UUIDs stay with their GPU.
    void reboot();

    void writeDcgm(std::string& out) const;
    void writeNode(std::string& out) const;
    void writeIpmi(std::string& out) const;

private:
    std::string m_name;
    size_t m_number;
    double m_clock = 0;
    bool m_held = false;
    bool m_blank = false;
    std::vector<FakeGpu> m_gpus;
    double m_cpuSeconds = 0;
    double m_infinibandBytes = 0;
};

}  // namespace yard::test

// Reads the stream of a daemon as a desktop does and says what came: how long the first full update
// took, how many updates followed, how large they are. Arguments: socket, seconds.

#include <grpcpp/create_channel.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "yard/v1/yard.grpc.pb.h"

namespace {

using Steady = std::chrono::steady_clock;

double seconds(Steady::time_point since)
{
    return std::chrono::duration<double>(Steady::now() - since).count();
}

}  // namespace

int main(int argc, char** argv)
{
    if (argc != 3)
        return 2;
    const auto start = Steady::now();
    grpc::ChannelArguments arguments;
    arguments.SetMaxReceiveMessageSize(-1);
    const auto stub = yard::v1::Yard::NewStub(grpc::CreateCustomChannel(
        std::string("unix:") + argv[1], grpc::InsecureChannelCredentials(), arguments));
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(atoi(argv[2])));
    context.set_wait_for_ready(true);
    const auto reader = stub->Watch(&context, {});
    yard::v1::Update update;
    int count = 0;
    int withReadings = 0;
    double bytes = 0;
    double age = 0;
    while (reader->Read(&update)) {
        const auto now = std::chrono::system_clock::now().time_since_epoch();
        const double late =
            std::chrono::duration<double>(now).count() - double(update.time_us()) / 1e6;
        if (count++ == 0) {
            std::printf(
                "first update after %.3f s: %.1f MB, %d nodes, %d jobs, %d columns, made "
                "%.3f s before\n",
                seconds(start), double(update.ByteSizeLong()) / 1e6, update.nodes_size(),
                update.jobs_size(), update.gpu_columns_size(), late);
            continue;
        }
        bytes += double(update.ByteSizeLong());
        age += late;
        withReadings += update.gpu_columns_size() > 0 ? 1 : 0;
    }
    std::printf("then %d updates in %.1f s, %d with readings, %.2f MB and %.3f s late on average\n",
                count - 1, seconds(start), withReadings, bytes / 1e6 / std::max(count - 1, 1),
                age / std::max(count - 1, 1));
    return count > 0 ? 0 : 1;
}

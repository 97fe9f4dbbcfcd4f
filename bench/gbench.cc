/* SPDX-License-Identifier: Apache-2.0 */
#include "gbench.h"

#include <benchmark/benchmark.h>

#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace
{

std::map<std::string, const lng_gbench *> &by_name()
{
    static std::map<std::string, const lng_gbench *> map;
    return map;
}

/* Hands the repetitions to C. Standard output stays the program's, and what the library
 * would say on standard error (that a filter matches nothing) the program says itself. */
class Reporter : public benchmark::BenchmarkReporter
{
  public:
    Reporter()
    {
        SetErrorStream(&unread);
    }

    bool ReportContext(const Context &) override
    {
        return true;
    }

    void ReportRuns(const std::vector<Run> &runs) override
    {
        for (const Run &run : runs) {
            const lng_gbench *b = by_name().at(run.run_name.function_name);
            b->report(run.real_accumulated_time / static_cast<double>(run.iterations),
                      b->user);
        }
    }

  private:
    std::ostringstream unread;
};

} // namespace

const char *lng_gbench_init(int argc, char **argv, void (*bad_value)(void))
{
    /* A flag whose number cannot be read is left in argv, like an unknown one; what the
     * library prints of it meanwhile would be a second line. */
    std::ostringstream unread;
    std::streambuf *cerr = std::cerr.rdbuf(unread.rdbuf());
    benchmark::Initialize(&argc, argv, bad_value);
    std::cerr.rdbuf(cerr);
    return argc > 1 ? argv[1] : nullptr;
}

void lng_gbench_add(const struct lng_gbench *b)
{
    by_name()[b->name] = b;
    auto body = [b](benchmark::State &state) {
        b->body(reinterpret_cast<lng_gbench_state *>(&state), b->user);
    };
    /* One repetition whatever BENCHMARK_REPETITIONS says in the environment. */
    benchmark::RegisterBenchmark(b->name, body)->UseRealTime()->Repetitions(1);
}

size_t lng_gbench_run(void)
{
    Reporter reporter;
    return benchmark::RunSpecifiedBenchmarks(&reporter);
}

int lng_gbench_next(struct lng_gbench_state *state)
{
    return reinterpret_cast<benchmark::State *>(state)->KeepRunning();
}

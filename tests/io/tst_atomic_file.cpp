// SPDX-License-Identifier: GPL-3.0-or-later
// A disk that is full is named as such, and the old file stays.
#include "test_files.h"

#include "io/atomic_file.h"

#include <cstdlib>
#include <fstream>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace attenscope;
using namespace attenscope::test;

namespace {

/// Puts a disk of 64 KiB in the place of @p folder, for this process alone. False where the system does not let it.
bool mountSmallDisk(const std::string &folder)
{
    const std::string user = "0 " + std::to_string(getuid()) + " 1";
    const std::string group = "0 " + std::to_string(getgid()) + " 1";
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0)
        return false;
    std::ofstream("/proc/self/setgroups") << "deny";
    std::ofstream("/proc/self/uid_map") << user;
    std::ofstream("/proc/self/gid_map") << group;
    return mount("tmpfs", folder.c_str(), "tmpfs", 0, "size=64k") == 0;
}

/// What @p work says in a process of its own.
std::string saidApart(const std::function<std::string()> &work)
{
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0)
        qFatal("There is no pipe.");
    const pid_t child = fork();
    if (child == 0) {
        const std::string said = work();
        _exit(write(ends[1], said.data(), said.size()) == static_cast<ssize_t>(said.size()) ? 0 : 1);
    }
    close(ends[1]);
    std::string said;
    std::array<char, 256> piece{};
    for (ssize_t count = 0; (count = read(ends[0], piece.data(), piece.size())) > 0;)
        said.append(piece.data(), static_cast<std::size_t>(count));
    close(ends[0]);
    waitpid(child, nullptr, 0);
    return said;
}

} // namespace

class TestAtomicFile : public QObject {
    Q_OBJECT

private slots:
    void aFullDiskIsNamed()
    {
        const Folder folder;
        const std::string path = folder.path("map.csv");
        const std::string said = saidApart([&] {
            if (!mountSmallDisk(folder.path("")))
                return std::string("no disk");
            const auto first = writeText(path, "old");
            const auto second = writeText(path, std::string(1'000'000, 'x'));
            std::string content;
            std::ifstream(path) >> content;
            return (first ? "" : first.error().sentence()) + "|" + (second ? "" : second.error().sentence()) + "|" + content;
        });
        if (said == "no disk")
            QSKIP("This system lets no test have a disk of its own.");
        QCOMPARE(QString::fromStdString(said),
            QString::fromStdString("|The file cannot be written: the disk is full. Choose another folder. " + path + "|old"));
    }
};

QTEST_APPLESS_MAIN(TestAtomicFile)
#include "tst_atomic_file.moc"

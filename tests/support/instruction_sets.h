// SPDX-License-Identifier: GPL-3.0-or-later
// Running a check with the kernels of every instruction set that this processor has.
#pragma once

#include "attention/kernels/kernels.h"

#include <hwy/targets.h>

#include <QTest>

namespace attenscope {

/// While it lives, kernels() are those of one instruction set.
class Forced {
public:
    explicit Forced(std::int64_t target)
    {
        hwy::SetSupportedTargetsForTest(target);
        hwy::GetChosenTarget().Update(target);
    }
    Forced(const Forced &) = delete;
    Forced &operator=(const Forced &) = delete;
    ~Forced()
    {
        hwy::SetSupportedTargetsForTest(0);
        hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    }
};

/// Calls @p check for each instruction set; its name is in the message if the check fails.
template <typename Check>
void onEveryInstructionSet(const Check &check)
{
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
        const Forced forced(target);
        QCOMPARE(QString(kernels().name), QString(hwy::TargetName(target)));
        check();
        if (QTest::currentTestFailed()) {
            qWarning("on %s", kernels().name);
            return;
        }
    }
}

} // namespace attenscope

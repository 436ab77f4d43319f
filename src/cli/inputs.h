// SPDX-License-Identifier: GPL-3.0-or-later
// Opening what a command line names.
#pragma once

#include "core/run.h"
#include "session/session.h"

#include <QStringList>

namespace attenscope {

/// A session on the files @p paths, or the session in the one .attn file. Errors: those of openFiles() and loadSession(), inputs of a
/// session that are not where it says, several sessions.
Result<Session> openInputs(const QStringList &paths, const Run &run = {});

} // namespace attenscope

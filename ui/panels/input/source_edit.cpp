// SPDX-License-Identifier: GPL-3.0-or-later
// What every tab does when its kind of input takes the place of another.
#include "panels/input/source_edit.h"

#include "panels/input/matrix_edit.h"

#include <QCoreApplication>

#include <utility>

namespace attenscope {

void startOtherSource(Session &session, const QString &name)
{
    session.name = name.toStdString();
    const auto forget = [](MaskSpec &mask) {
        mask.allowed = {};
        mask.paddedKeys = 0;
    };
    forget(session.mechanism.mask);
    if (session.comparison)
        forget(session.comparison->mask);
}

QString typedTokensName()
{
    return QCoreApplication::translate("SourceEdit", "Typed tokens");
}

QString typedMatricesName()
{
    return QCoreApplication::translate("SourceEdit", "Typed matrices");
}

Session newTokens()
{
    Session session = exampleSentence();
    std::get<TokensSource>(session.source).text.clear();
    session.name = typedTokensName().toStdString();
    return session;
}

Session newMatrices()
{
    Session session;
    session.source = emptyMatrices();
    session.name = typedMatricesName().toStdString();
    return session;
}

void nameOwnInput(Session &session, const QString &name)
{
    const std::string own = name.toStdString();
    if (!isSampleName(session.name) && session.name != own)
        return;
    session.name = own;
    for (const Session &sample : { exampleSentence(), workedExample() }) {
        if (session.source == sample.source)
            session.name = sample.name;
    }
}

void CausalMaskOfSelf::follow(Session &session, bool isCross)
{
    MaskRule &rule = session.mechanism.mask.rule;
    if (session.comparison)
        return;
    if (isCross) {
        m_isDropped = rule == MaskRule::Causal;
        if (m_isDropped)
            rule = MaskRule::None;
    } else if (std::exchange(m_isDropped, false) && rule == MaskRule::None) {
        rule = MaskRule::Causal;
    }
}

} // namespace attenscope

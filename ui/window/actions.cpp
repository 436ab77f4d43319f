// SPDX-License-Identifier: GPL-3.0-or-later
// Actions: the table of everything the window can do.
#include "window/actions.h"

#include "state/icons.h"

#include <QCoreApplication>
#include <QMenu>
#include <QWidget>

#include <algorithm>

namespace attenscope {

namespace {

/// Of an action that is off.
constexpr const char *reasonProperty = "reason";

} // namespace

const std::vector<MenuId> &menuIds()
{
    static const std::vector<MenuId> ids{ MenuId::File, MenuId::Edit, MenuId::View, MenuId::Mechanism, MenuId::Compare, MenuId::Window,
        MenuId::Help };
    return ids;
}

QString menuTitle(MenuId menu)
{
    const auto tr = [](const char *text) { return QCoreApplication::translate("Actions", text); };
    switch (menu) {
    case MenuId::File:
        return tr("&File");
    case MenuId::Edit:
        return tr("&Edit");
    case MenuId::View:
        return tr("&View");
    case MenuId::Mechanism:
        return tr("&Mechanism");
    case MenuId::Compare:
        return tr("&Compare");
    case MenuId::Window:
        return tr("&Window");
    case MenuId::Help:
        return tr("&Help");
    case MenuId::Demonstrations:
        return tr("&Demonstrations");
    }
    return {};
}

Actions::Actions(QWidget *window)
    : QObject(window)
    , m_window(window)
{
}

QAction *Actions::add(const ActionSpec &spec)
{
    auto *action = new QAction(spec.text, this);
    action->setObjectName(spec.id);
    action->setCheckable(spec.isCheckable);
    action->setShortcuts(spec.keys);
    if (!spec.icon.isEmpty())
        action->setIcon(icon(spec.icon));
    action->setIconVisibleInMenu(false);
    m_window->addAction(action);
    connect(action, &QAction::triggered, this, [run = spec.run](bool isChecked) { run(isChecked); });
    m_specs.push_back(spec);
    m_actions.push_back(action);
    setEnabled(spec.id, true);
    return action;
}

QAction *Actions::operator[](const QString &id) const
{
    const auto found = std::find_if(m_specs.begin(), m_specs.end(), [&id](const ActionSpec &spec) { return spec.id == id; });
    Q_ASSERT_X(found != m_specs.end(), "Actions", qPrintable(id));
    return m_actions[static_cast<std::size_t>(found - m_specs.begin())];
}

void Actions::fill(QMenu *target, MenuId menu) const
{
    target->setToolTipsVisible(true);
    QMenu *inner = nullptr;
    for (std::size_t i = 0; i < m_specs.size(); ++i) {
        const ActionSpec &spec = m_specs[i];
        if (spec.menu != menu)
            continue;
        if (!spec.submenu.isEmpty() && (!inner || inner->title() != spec.submenu)) {
            inner = target->addMenu(spec.submenu);
            inner->setToolTipsVisible(true);
            sayReasons(inner);
        }
        QMenu *place = spec.submenu.isEmpty() ? target : inner;
        if (spec.startsGroup)
            place->addSeparator();
        place->addAction(m_actions[i]);
    }
}

QMenu *Actions::submenu(const QString &title, MenuId menu, QWidget *parent) const
{
    auto *result = new QMenu(title, parent);
    result->setToolTipsVisible(true);
    sayReasons(result);
    for (std::size_t i = 0; i < m_specs.size(); ++i)
        if (m_specs[i].menu == menu && m_specs[i].submenu == title)
            result->addAction(m_actions[i]);
    return result;
}

void Actions::setEnabled(const QString &id, bool isEnabled, const QString &reason)
{
    QAction *action = (*this)[id];
    action->setEnabled(isEnabled);
    action->setProperty(reasonProperty, isEnabled ? QString() : reason);
    const auto spec = std::find_if(m_specs.begin(), m_specs.end(), [&id](const ActionSpec &row) { return row.id == id; });
    QString tip = isEnabled || reason.isEmpty() ? (spec->tip.isEmpty() ? spec->title() : spec->tip) : reason;
    if (!spec->keys.isEmpty())
        tip += QStringLiteral(" (%1)").arg(spec->keys.first().toString(QKeySequence::NativeText));
    action->setToolTip(tip);
}

QString Actions::reason(const QString &id) const
{
    return (*this)[id]->property(reasonProperty).toString();
}

void Actions::sayReasons(QMenu *menu) const
{
    QAction *said = menu->addAction(QString());
    said->setEnabled(false);
    said->setVisible(false);
    connect(menu, &QMenu::aboutToShow, said, [menu, said] {
        QString reason;
        for (const QAction *action : menu->actions())
            if (reason.isEmpty())
                reason = action->property(reasonProperty).toString();
        said->setText(reason);
        said->setVisible(!reason.isEmpty());
    });
}

QString ActionSpec::title() const
{
    const QString own = plainText(text);
    if (submenu.isEmpty())
        return own;
    return plainText(submenu) + QStringLiteral(": ") + (isName ? own : own.left(1).toLower() + own.mid(1));
}

QString plainText(QString text)
{
    text.replace(QStringLiteral("&&"), QStringLiteral("\x01"));
    text.remove(QLatin1Char('&'));
    return text.replace(QLatin1Char('\x01'), QLatin1Char('&'));
}

} // namespace attenscope

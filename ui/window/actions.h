// SPDX-License-Identifier: GPL-3.0-or-later
// Actions: one table of everything the window can do; menus, tool bar, find and the list of keys are made of it.
#pragma once

#include <QAction>
#include <QKeySequence>
#include <QList>
#include <QObject>
#include <QString>

#include <functional>
#include <vector>

class QMenu;
class QWidget;

namespace attenscope {

enum class MenuId { File, Edit, View, Mechanism, Compare, Window, Help, Demonstrations };
/// The menus of the bar in order; Demonstrations is one inside Help.
[[nodiscard]] const std::vector<MenuId> &menuIds();
/// "&File"
[[nodiscard]] QString menuTitle(MenuId menu);

/// One row of the table.
struct ActionSpec {
    QString id; ///< "file.open"
    MenuId menu = MenuId::File;
    QString text; ///< With mnemonic.
    QList<QKeySequence> keys;
    QString icon; ///< Name in resources/icons, or empty.
    QString tip; ///< What it does in words; where empty the text.
    bool isCheckable = false;
    bool startsGroup = false; ///< A separator stands before it.
    std::function<void(bool)> run; ///< The argument is whether it is checked.
    QString submenu = {}; ///< "&New": the menu inside the menu that it is in; rows of one stand together. Empty: the menu itself.
    bool isName = false; ///< The text is a name, which keeps its capital letter in title().

    /// Without mnemonics, and with the submenu in front: "New: worked example".
    [[nodiscard]] QString title() const;
};

/// Owns the actions. They belong to a window, so that their keys act in it.
class Actions : public QObject {
    Q_OBJECT

public:
    explicit Actions(QWidget *window);

    QAction *add(const ActionSpec &spec);
    /// A bug if there is none of this name.
    [[nodiscard]] QAction *operator[](const QString &id) const;
    [[nodiscard]] const std::vector<ActionSpec> &specs() const { return m_specs; }
    /// Puts the rows of @p menu into @p target, those of submenus into menus in it, which say at their top why rows are off.
    void fill(QMenu *target, MenuId menu) const;
    /// A menu of the rows of one submenu.
    [[nodiscard]] QMenu *submenu(const QString &title, MenuId menu, QWidget *parent) const;
    /// Turns an action on, or off with the reason in its tooltip.
    void setEnabled(const QString &id, bool isEnabled, const QString &reason = {});
    /// Why it is off; empty while it is on.
    [[nodiscard]] QString reason(const QString &id) const;

private:
    void sayReasons(QMenu *menu) const;

    QWidget *m_window;
    std::vector<ActionSpec> m_specs;
    std::vector<QAction *> m_actions;
};

/// "Open…" for a text with a mnemonic.
[[nodiscard]] QString plainText(QString text);

} // namespace attenscope

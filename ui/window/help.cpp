// SPDX-License-Identifier: GPL-3.0-or-later
// Help: guide, keys, about.
#include "window/help.h"

#include "state/icons.h"
#include "state/theme.h"

#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFile>
#include <QLabel>
#include <QScrollArea>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace attenscope {

namespace {

QDialog *dialogWith(QWidget *content, const QString &title, QSize size, QWidget *parent)
{
    auto *dialog = new QDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    auto *column = new QVBoxLayout(dialog);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(16);
    column->addWidget(content, 1);
    column->addWidget(buttons);
    if (size.isValid())
        dialog->resize(size);
    dialog->show();
    return dialog;
}

QString tr(const char *text)
{
    return QCoreApplication::translate("Help", text);
}

QString keyText(const QKeySequence &key)
{
    const QString text = key.toString(QKeySequence::NativeText);
    return text == QLatin1String("-") ? QStringLiteral("−") : text.toHtmlEscaped();
}

} // namespace

std::vector<std::pair<QString, QString>> mapKeys()
{
    return {
        { tr("Arrows"), tr("Move the pick; with Shift by ten") },
        { tr("Home, End"), tr("First, last visible key of the row") },
        { tr("Ctrl+Home, Ctrl+End"), tr("First, last query") },
        { tr("Enter"), tr("Pick the hovered cell") },
        { tr("Wheel"), tr("Zoom at the mouse; in Lines with Ctrl") },
        { tr("Drag"), tr("Pan; with Shift zoom to a rectangle") },
        { tr("Double click"), tr("Fit") },
    };
}

QDialog *showGuide(QWidget *parent)
{
    auto *text = new QTextBrowser;
    text->setOpenExternalLinks(true);
    text->setAccessibleName(tr("Guide"));
    QFile file(QStringLiteral(":/docs/guide.md"));
    const bool isThere = file.open(QIODevice::ReadOnly);
    Q_ASSERT(isThere);
    text->document()->setDocumentMargin(16);
    if (isThere)
        text->setMarkdown(QString::fromUtf8(file.readAll()));
    return dialogWith(text, tr("Guide"), QSize(760, 720), parent);
}

QDialog *showKeys(const Actions &actions, QWidget *parent)
{
    const Theme &theme = Theme::of(parent->palette());
    QString left;
    QString right;
    const auto heading = [&theme](const QString &title) {
        return QStringLiteral("<tr><td colspan=2 style='padding-top:10px; padding-bottom:2px; color:%1'>%2</td></tr>")
            .arg(theme.secondaryText.name(), title.toHtmlEscaped());
    };
    const auto row = [](const QString &keys, const QString &text) {
        return QStringLiteral("<tr><td style='padding-right:20px'><b>%1</b></td><td style='padding-bottom:2px'>%2</td></tr>")
            .arg(keys, text.toHtmlEscaped());
    };
    for (const MenuId menu : menuIds()) {
        QString rows;
        for (const ActionSpec &spec : actions.specs()) {
            if (spec.menu != menu || spec.keys.isEmpty())
                continue;
            QStringList keys;
            for (const QKeySequence &key : spec.keys)
                keys << keyText(key);
            keys.removeDuplicates();
            rows += row(keys.join(QStringLiteral(", ")), spec.title());
        }
        if (!rows.isEmpty())
            (menu == MenuId::File || menu == MenuId::Edit || menu == MenuId::Mechanism || menu == MenuId::Compare || menu == MenuId::Help
                    ? left
                    : right)
                += heading(plainText(menuTitle(menu))) + rows;
    }
    right += heading(tr("In the map"));
    for (const auto &[keys, text] : mapKeys())
        right += row(keys.toHtmlEscaped(), text);
    auto *label = new QLabel(QStringLiteral("<table cellspacing=0><tr><td style='padding-right:40px' valign=top><table>%1</table></td><td "
                                            "valign=top><table>%2</table></td></tr></table>")
                                 .arg(left, right));
    label->setAccessibleName(tr("Keyboard shortcuts"));
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    auto *area = new QScrollArea;
    area->setWidget(label);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    const QSize hint = label->sizeHint();
    return dialogWith(area, tr("Keyboard shortcuts"), QSize(hint.width() + 60, std::min(hint.height() + 110, 820)), parent);
}

QDialog *showAbout(QWidget *parent)
{
    auto *label = new QLabel(QStringLiteral("<p style='font-size:18px'><b>Attenscope</b> %1</p><p>%2</p><p>%3</p><p>%4</p>")
                                 .arg(QLatin1String(ATTENSCOPE_VERSION), tr("A desktop microscope for attention."),
                                     tr("Made with Qt %1, QCustomPlot 2.1 and Eigen 3.4.").arg(QLatin1String(qVersion())),
                                     tr("Free software under the GNU General Public License, version 3 or later. There is no warranty.")));
    label->setWordWrap(true);
    label->setMinimumWidth(380);
    label->setTextInteractionFlags(Qt::TextBrowserInteraction);
    auto *content = new QWidget;
    auto *row = new QHBoxLayout(content);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(24);
    auto *drawing = new QLabel;
    drawing->setPixmap(QIcon(QStringLiteral(":/icons/attenscope.svg")).pixmap(QSize(96, 96), parent->devicePixelRatioF()));
    drawing->setAlignment(Qt::AlignTop);
    row->addWidget(drawing);
    row->addWidget(label, 1);
    return dialogWith(content, tr("About Attenscope"), {}, parent);
}

} // namespace attenscope

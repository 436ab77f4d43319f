// SPDX-License-Identifier: GPL-3.0-or-later
// MainWindow: puts panels, view, heads and readout in their places and connects them to the document.
#pragma once

#include "state/autosave.h"
#include "state/document.h"
#include "state/selection.h"
#include "state/settings.h"
#include "window/actions.h"

#include <QMainWindow>
#include <QPointer>

#include <functional>
#include <memory>

class QDialog;
class QLabel;
class QMenu;
class QToolBar;
class QToolButton;

namespace attenscope {

class Demonstration;
class Dock;
class Docks;
class ExportDialog;
class Files;
class FindField;
class FindPopup;
class HeadGrid;
class HeadTable;
class PatchesView;
class InputPanel;
class LoadingBar;
class MapView;
class MaskControl;
class MechanismPanel;
class MessageBar;
class Overview;
class PeakList;
class PresentationBar;
struct Preset;
class Readout;
class StepsView;
class WalkExportDialog;
class ViewStack;

class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    MainWindow();
    ~MainWindow() override;

    [[nodiscard]] Document &document() { return m_document; }
    [[nodiscard]] Selection &selection() { return m_selection; }
    [[nodiscard]] Actions &actionTable() { return *m_actions; }
    [[nodiscard]] MessageBar &messages() { return *m_messages; }
    [[nodiscard]] Files &files() { return *m_files; }
    /// Shows the window inside what is free of its screen, frame included: also where it would be larger by itself, and where a stored place no longer fits.
    void open();
    /// Keeps unsaved work and offers what an earlier run left; not for tests and pictures.
    void startAutosave();

    void setPresenting(bool isPresenting);
    [[nodiscard]] bool isPresenting() const { return m_isPresenting; }

protected:
    void closeEvent(QCloseEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void changeEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void makeCentre();
    void makeDocks();
    void makeToolBar();
    void makeReadout();
    void makeActions();
    void addFileActions();
    void addEditActions();
    void addViewActions();
    void addTokenActions();
    void addMechanismActions();
    void addPresetActions();
    void compareWithPreset(const Preset &preset);
    void choosePreset(const Preset &preset);
    void updatePresetActions();
    void addWindowActions();
    void addDemonstrationActions();
    void makeMenus();

    /// An edit of what is shown.
    void editView(const QString &name, const std::function<void(ViewState &)> &change);
    void stepStage(int step);
    void stepHead(int step);
    void stepLayer(int step);
    void stepPane(int step);
    void toggleScale();
    void setTheme(ThemeChoice choice);
    void copyNumbers();
    void exportHeadTable(const QString &csv);
    void copyPicture();
    void showExport();
    void showWalkExport();
    void sayExported(const QString &path, int files);
    void escape();
    /// Puts @p made in place of the view; it goes when another page comes.
    void showDemonstration(Demonstration *made);
    void closeDemonstration();
    void copyDemonstration();
    void exportDemonstration();
    void say(const QString &what, const std::string &path = {});

    void updateActions();
    void updateNotes();
    void updateTitle();
    void followComparing();
    /// Long maps have an overview and a list of peaks.
    void followLength();
    void fitToWidth();
    void fitToScreen();

    Document m_document;
    Selection m_selection;
    Settings m_settings;
    std::unique_ptr<Autosave> m_autosave;
    MaskControl *m_masks = nullptr;
    Actions *m_actions = nullptr;

    InputPanel *m_inputPanel = nullptr;
    MechanismPanel *m_mechanismPanel = nullptr;
    HeadGrid *m_headGrid = nullptr;
    HeadTable *m_headTable = nullptr;
    Overview *m_overview = nullptr;
    PeakList *m_peaks = nullptr;
    PatchesView *m_patches = nullptr;
    ViewStack *m_views = nullptr;
    MapView *m_map = nullptr;
    StepsView *m_steps = nullptr;
    Readout *m_readout = nullptr;
    QToolBar *m_readoutStrip = nullptr;
    MessageBar *m_messages = nullptr;
    LoadingBar *m_loading = nullptr;
    Files *m_files = nullptr;
    PresentationBar *m_presentation = nullptr;

    Dock *m_inputDock = nullptr;
    Dock *m_mechanismDock = nullptr;
    Dock *m_headsDock = nullptr;
    Dock *m_tableDock = nullptr;
    Dock *m_overviewDock = nullptr;
    Dock *m_peaksDock = nullptr;
    Dock *m_patchesDock = nullptr; ///< Open where tokens are patches, or by choice.
    Docks *m_docks = nullptr;

    QToolBar *m_tools = nullptr;
    QToolButton *m_causal = nullptr;
    QToolButton *m_unmasked = nullptr;
    FindField *m_findField = nullptr;
    FindPopup *m_find = nullptr;
    QLabel *m_documentName = nullptr;
    QMenu *m_recent = nullptr;
    QPointer<ExportDialog> m_export;
    QPointer<WalkExportDialog> m_walkExport;
    Demonstration *m_demonstration = nullptr; ///< The one that is shown, or null.
    QPointer<QDialog> m_keys;
    QPointer<QDialog> m_guide;

    bool m_isArranged = false;
    bool m_isOpening = false; ///< open() waits for the frame.
    bool m_isPresenting = false;
    bool m_wasComparing = false;
    bool m_foldedForCompare = false;
};

} // namespace attenscope

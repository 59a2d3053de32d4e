// An editor in place of the text area, whose text it keeps up to date: the form is sent as it would be without it.
// It is fetched when the author first chooses to write.

const form = document.querySelector("[data-editor]");
const panel = form.querySelector("[data-code]");
const area = panel.querySelector("textarea");

async function open() {
  const cm = await import(form.dataset.editor);
  const host = document.createElement("div");
  host.className = "editor";
  const root = host.attachShadow({ mode: "open" }); // here styles come as sheets, which the policy lets pass
  const view = new cm.EditorView({
    doc: area.value,
    root,
    extensions: [setup(cm), cm.EditorView.updateListener.of(({ docChanged, state }) => {
      if (docChanged) area.value = state.doc.toString();
    })],
  });
  root.append(view.dom);
  area.before(host);
  area.hidden = true;
  panel.querySelector("label").addEventListener("click", () => view.focus());
  panel.querySelector("[data-code-hint]").hidden = false;
}

// Chromium would keep the style of text that is typed over in an attribute, which the policy blocks, and says so.
function typeOver(cm) {
  return cm.EditorView.domEventHandlers({
    beforeinput(event, view) {
      const { from, to, empty } = view.state.selection.main;
      if (event.inputType !== "insertText" || !event.data || empty || view.composing) return false;
      const type = () => view.state.update(view.state.replaceSelection(event.data), { userEvent: "input.type" });
      const handlers = view.state.facet(cm.EditorView.inputHandler);
      if (!handlers.some((handle) => handle(view, from, to, event.data, type))) view.dispatch(type());
      event.preventDefault();
      return true;
    },
  });
}

function setup(cm) {
  const { tags } = cm;
  const colours = cm.HighlightStyle.define([
    { tag: [tags.keyword, tags.operatorKeyword, tags.modifier, tags.self], color: "var(--code-keyword)" },
    { tag: [tags.string, tags.special(tags.string)], color: "var(--code-text)" },
    { tag: [tags.number, tags.bool, tags.null], color: "var(--code-figure)" },
    { tag: [tags.comment, tags.docString], color: "var(--code-note)" },
    {
      tag: [tags.definition(tags.function(tags.variableName)), tags.definition(tags.className), tags.meta],
      color: "var(--code-name)",
    },
  ]);
  const theme = cm.EditorView.theme({
    "&": { height: "100%", color: "var(--ink)" },
    "&.cm-focused": { outline: "none" },
    ".cm-scroller": { fontFamily: "var(--code)", lineHeight: "inherit", overflow: "auto" },
    ".cm-content": { caretColor: "var(--ink)" },
    ".cm-cursor": { borderLeftColor: "var(--ink)" },
    ".cm-gutters": { border: "0", backgroundColor: "transparent", color: "var(--ink-2)" },
    ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--code-line)" },
    ".cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": {
      backgroundColor: "var(--code-chosen)",
    },
    "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--code-chosen)" },
    ".cm-panels": { backgroundColor: "var(--paper-2)", color: "var(--ink)" },
    ".cm-textfield": { backgroundColor: "var(--paper)", borderColor: "var(--rule)", color: "var(--ink)" },
    ".cm-button": { backgroundColor: "var(--paper-3)", backgroundImage: "none", color: "var(--ink)" },
  });
  return [
    cm.EditorState.phrases.of(JSON.parse(document.querySelector("#phrases").textContent)),
    cm.lineNumbers(),
    cm.highlightActiveLineGutter(),
    cm.highlightActiveLine(),
    cm.highlightSpecialChars(),
    cm.history(),
    cm.drawSelection(),
    cm.indentOnInput(),
    cm.indentUnit.of("    "),
    cm.bracketMatching(),
    cm.closeBrackets(),
    cm.search({ top: true }),
    cm.highlightSelectionMatches(),
    cm.python(),
    typeOver(cm),
    cm.syntaxHighlighting(colours),
    theme,
    cm.EditorView.contentAttributes.of({ "aria-label": panel.querySelector("label").textContent }),
    cm.keymap.of([
      ...cm.closeBracketsKeymap,
      ...cm.defaultKeymap,
      ...cm.searchKeymap,
      ...cm.historyKeymap,
      cm.indentWithTab,
    ]),
  ];
}

const written = form.querySelector('.choice [value="code"]');
if (written.checked) open();
else written.addEventListener("change", open, { once: true });

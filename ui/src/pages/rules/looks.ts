// The editor's styles, of the same tokens as everything else: custom properties reach into a shadow root.
import { EditorView } from '@codemirror/view'

export const looks = EditorView.theme({
  '&': { color: 'var(--text)', backgroundColor: 'var(--surface)', fontSize: '0.8125rem' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.75', minHeight: '20rem' },
  '.cm-content': { caretColor: 'var(--accent)', padding: '0' },
  '.cm-line': { padding: '0 var(--s3)' },
  '.cm-gutters': {
    backgroundColor: 'var(--sunken)',
    color: 'var(--text-3)',
    border: '0',
    borderInlineEnd: '1px solid var(--line-soft)',
  },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 var(--s3)', minWidth: '2.75rem' },
  '.cm-activeLine': { backgroundColor: 'var(--accent-tint)' },
  '.cm-selectionBackground, ::selection': { backgroundColor: 'var(--press)' },
  '.cm-keyword, .cm-letter': { color: 'var(--accent-text)', fontWeight: '600' },
  '.cm-name': { color: 'var(--transit-text)' },
  '.cm-policy': { color: 'var(--hold-text)' },
  '.cm-comment': { color: 'var(--text-3)', fontStyle: 'italic' },
  '.cm-decides': { backgroundColor: 'var(--ok-tint)' },
  '.cm-found': { backgroundColor: 'var(--mark)' },
  '.cm-fault-line': { backgroundColor: 'var(--blocked-tint)' },
  '.cm-fault': { textDecoration: 'underline wavy var(--blocked-solid)' },
  '.cm-fault-message': {
    padding: 'var(--s1) var(--s3) var(--s2)',
    color: 'var(--blocked-text)',
    fontFamily: 'var(--font)',
    fontWeight: '500',
    lineHeight: '1.43',
  },
  '.cm-tooltip': {
    border: '1px solid var(--line)',
    borderRadius: 'var(--r-md)',
    backgroundColor: 'var(--raised)',
    color: 'var(--text)',
    boxShadow: 'var(--shadow-pop)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--font)', maxHeight: '16rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '0.25rem var(--s3)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--accent-tint)',
    color: 'var(--text)',
  },
  '.cm-completionDetail': { color: 'var(--text-3)', fontStyle: 'normal' },
})

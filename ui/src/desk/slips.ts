// Slips as elements, from the template that the library wrote or, where it is empty, a layout of our own:
// the largest line is what is read from the crate's distance. Values are set as text, so no title can
// become markup.
import type { Text } from '#/i18n/text'
import type { Formats } from '#/lib/format'
import { shelfCode } from '#/lib/names'
import { barcodeImage } from './barcode'
import type { SlipContext } from './outcomes'
import type { Scan, Slip } from './types'

/** The names of FOLIO's staff slips by kind. */
export const SLIP_NAMES: Record<Slip['kind'], string> = {
  hold: 'Hold',
  transit: 'Transit',
  delivery: 'Request delivery',
}

const ALLOWED = new Set([
  'P',
  'BR',
  'DIV',
  'SPAN',
  'STRONG',
  'B',
  'EM',
  'I',
  'U',
  'H1',
  'H2',
  'H3',
  'H4',
  'H5',
  'H6',
  'UL',
  'OL',
  'LI',
  'BARCODE',
])
const TOKEN = /\{\{\{?\s*([\w.]+)\s*\}?\}\}/g

export async function slipElement(
  scan: Scan,
  template: string | undefined,
  t: Text,
  formats: Formats,
): Promise<HTMLElement> {
  const slip = document.createElement('section')
  slip.className = 'slip'
  const written = template ? fromTemplate(template, scan.slip?.context ?? {}) : undefined
  slip.append(written?.textContent?.trim() ? written : builtIn(scan, t, formats))
  await drawBarcodes(slip)
  return slip
}

/** What a template marks as a barcode becomes one. */
export async function drawBarcodes(slip: HTMLElement) {
  for (const place of slip.querySelectorAll('barcode')) {
    const image = await barcodeImage(place.textContent?.trim() ?? '')
    place.replaceWith(image ?? place.textContent ?? '')
  }
}

export function fromTemplate(template: string, context: Record<string, unknown>): DocumentFragment {
  const fragment = document.createDocumentFragment()
  const { body } = new DOMParser().parseFromString(template, 'text/html')
  for (const node of body.childNodes) copy(node, fragment, context)
  return fragment
}

function copy(from: Node, to: Node, context: Record<string, unknown>) {
  if (from.nodeType === Node.TEXT_NODE) {
    to.appendChild(document.createTextNode(filled(from.textContent ?? '', context)))
    return
  }
  if (!(from instanceof Element)) return
  // Unknown elements are left out with their attributes; scripts and styles with their content.
  if (/^(SCRIPT|STYLE|IFRAME|OBJECT)$/i.test(from.tagName)) return
  const next = ALLOWED.has(from.tagName.toUpperCase())
    ? to.appendChild(document.createElement(from.tagName))
    : to
  for (const child of from.childNodes) copy(child, next, context)
}

export function filled(text: string, context: Record<string, unknown>): string {
  return text.replace(TOKEN, (_, path: string) => {
    const value = path
      .split('.')
      .reduce<unknown>(
        (at, key) =>
          at && typeof at === 'object' && Object.hasOwn(at, key)
            ? (at as Record<string, unknown>)[key]
            : undefined,
        context,
      )
    return value === undefined || value === null || typeof value === 'object' ? '' : String(value)
  })
}

function builtIn(scan: Scan, t: Text, formats: Formats): DocumentFragment {
  const fragment = document.createDocumentFragment()
  const line = (className: string, text: string | undefined) => {
    if (!text) return
    const paragraph = document.createElement('p')
    paragraph.className = className
    paragraph.dir = 'auto'
    paragraph.textContent = text
    fragment.append(paragraph)
  }
  const { requester, request, item } = (scan.slip?.context ?? {}) as SlipContext
  const isTransit = scan.slip?.kind === 'transit'
  line('slip-kind', t(`desk.slip.${scan.slip?.kind ?? 'hold'}`))
  line(
    'slip-huge',
    isTransit
      ? `→ ${scan.outcome?.place ?? ''}`
      : shelfCode(requester?.lastName ?? '', requester?.barcode ?? ''),
  )
  if (request?.holdShelfExpirationDate)
    line('slip-line', t('desk.until', { date: formats.day(request.holdShelfExpirationDate) }))
  line('slip-title', scan.item?.title)
  line('slip-line', [scan.item?.shelfMark, scan.item?.material].filter(Boolean).join(' · '))
  const code = document.createElement('barcode')
  code.textContent = scan.barcode
  fragment.append(code)
  line('slip-line', request?.patronComments)
  line('slip-small', [item?.fromServicePoint, formats.dayTime(scan.at)].filter(Boolean).join(' · '))
  return fragment
}

// The slips of a desk: what is to be fetched from its shelves (pages), and what is to be looked for (holds).
import { get } from '#/api/client'
import { queryClient } from '#/api/query'
import { slipsQuery } from '#/api/slips'
import { printElements } from '#/desk/print'
import { drawBarcodes, fromTemplate } from '#/desk/slips'

export type SlipKind = 'pick' | 'search'

interface Slip {
  item?: Record<string, string | undefined>
  request?: Record<string, string | undefined>
  requester?: Record<string, string | undefined>
}

const NAMES = { pick: 'Pick slip', search: 'Search slip (Hold requests)' }

/** One print for all. The requests that they are for. */
export async function printSlips(kind: SlipKind, deskId: string): Promise<string[]> {
  const answer = await get<{ pickSlips?: Slip[]; searchSlips?: Slip[] }>(
    `/circulation/${kind}-slips/${deskId}`,
  )
  const slips = answer.pickSlips ?? answer.searchSlips ?? []
  const templates = await queryClient.ensureQueryData(slipsQuery)
  const template = templates.find((one) => one.name === NAMES[kind] && one.active)?.template
  const elements = slips.map((slip) => element(slip, template))
  await Promise.all(elements.map(drawBarcodes))
  printElements(elements)
  return slips.flatMap(({ request }) => request?.requestID ?? [])
}

function element(slip: Slip, template: string | undefined): HTMLElement {
  const place = document.createElement('section')
  place.className = 'slip'
  const written = template ? fromTemplate(template, slip as Record<string, unknown>) : undefined
  if (written?.textContent?.trim()) {
    place.append(written)
    return place
  }
  const { item = {}, request = {}, requester = {} } = slip
  const lines = [
    ['slip-huge', [item.callNumberPrefix, item.callNumber].filter(Boolean).join(' ')],
    ['slip-title', item.title],
    ['slip-line', item.effectiveLocationSpecific],
    ['slip-line', item.barcode],
    ['slip-small', [requester.barcode, request.servicePointPickup].filter(Boolean).join(' · ')],
  ] as const
  for (const [className, text] of lines) {
    if (!text) continue
    const line = document.createElement('p')
    line.className = className
    line.dir = 'auto'
    line.textContent = text
    place.append(line)
  }
  return place
}

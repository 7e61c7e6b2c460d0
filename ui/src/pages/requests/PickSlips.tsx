// Prints a slip for each item that is to be fetched from the shelves of this desk: one print for all.

import { useState } from 'react'
import { get } from '#/api/client'
import { queryClient } from '#/api/query'
import { slipsQuery } from '#/api/slips'
import { printElements } from '#/desk/print'
import { fromTemplate } from '#/desk/slips'
import { useAct } from '#/forms/useAct'
import { useText } from '#/i18n/text'
import { useDesk } from '#/lib/desk'
import { useNeeds } from '#/lib/permissions'
import { Button } from '#/ui/Button'

interface Slip {
  item?: Record<string, string | undefined>
  request?: Record<string, string | undefined>
  requester?: Record<string, string | undefined>
}

export function PickSlips() {
  const t = useText()
  const desk = useDesk()
  const { reason } = useNeeds('circulation.pick-slips.get')
  const act = useAct()
  const [told, setTold] = useState<string>()
  const print = async () => {
    setTold(undefined)
    const done = await act.run(async () => {
      const { pickSlips } = await get<{ pickSlips: Slip[] }>(`/circulation/pick-slips/${desk?.id}`)
      const templates = await queryClient.ensureQueryData(slipsQuery)
      const template = templates.find((one) => one.name === 'Pick slip' && one.active)?.template
      if (pickSlips.length) printElements(pickSlips.map((slip) => element(slip, template)))
      else setTold(t('request.noSlips'))
    })
    if (!done) setTold(t('forms.notDone'))
  }
  return (
    <>
      <span className="sm soft" role="status">
        {told}
      </span>
      <Button
        icon="printer"
        wideOnly
        busy={act.busy}
        disabled={reason ?? (desk ? undefined : t('shell.chooseFirst'))}
        onPress={() => void print()}
      >
        {t('request.pickSlips')}
      </Button>
    </>
  )
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

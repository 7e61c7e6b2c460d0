// Prints the slips of scans and marks them as printed.
import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { slipsQuery } from '#/api/slips'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { printElements } from './print'
import type { DeskSession } from './session'
import { SLIP_NAMES, slipElement } from './slips'
import type { Scan } from './types'

export function useSlips(session: DeskSession) {
  const t = useText()
  const formats = useFormats()
  const { data: templates } = useQuery(slipsQuery)
  return useCallback(
    async (scans: readonly Scan[]) => {
      const withSlip = scans.filter((scan) => scan.slip)
      const elements = await Promise.all(
        withSlip.map((scan) => {
          const name = scan.slip && SLIP_NAMES[scan.slip.kind]
          const template = templates?.find((one) => one.active && one.name === name)?.template
          return slipElement(scan, template, t, formats)
        }),
      )
      printElements(elements)
      for (const { id } of withSlip) {
        session.update(id, (scan) =>
          scan.slip ? { ...scan, slip: { ...scan.slip, printed: true } } : scan,
        )
      }
    },
    [session, templates, t, formats],
  )
}

// A change against the run before: marked with sign and word where it is more than chance, otherwise the bare figure.
import { useIntl } from 'react-intl'
import { useText } from '#/i18n/text'
import { useUnits } from '#/lib/units'
import { Outcome } from '#/ui/Badge'
import type { Change } from '#/workbench/trends'

export function useSigned() {
  const { locale } = useIntl()
  const format = new Intl.NumberFormat(locale, {
    style: 'percent',
    maximumFractionDigits: 0,
    signDisplay: 'exceptZero',
  })
  return (by: number) => format.format(by)
}

export function ChangeText({ change: { by, isMarked } }: { change: Change }) {
  const t = useText()
  const units = useUnits()
  const signed = useSigned()
  if (!isMarked) return <span className="muted">{signed(by)}</span>
  const much = units.percent(Math.abs(by))
  return by > 0 ? (
    <Outcome kind="blocked" icon="triangle-alert">
      {t('bench.slower', { much })}
    </Outcome>
  ) : (
    <Outcome kind="ok" icon="check">
      {t('bench.faster', { much })}
    </Outcome>
  )
}

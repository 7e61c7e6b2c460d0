// "This patron and this item: which line, which policies?", asked of the rules that are in force.
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useText } from '#/i18n/text'
import { Badge } from '#/ui/Badge'
import { Button } from '#/ui/Button'
import { Failed } from '#/ui/Failed'
import { Select } from '#/ui/Select'
import { TextField } from '#/ui/TextField'
import { ask, type Case, caseOf, groupOf } from './ask'
import type { Letter, Refs } from './refs'
import styles from './rules.module.css'
import { VerdictView } from './VerdictView'

const PARTS = [
  ['group', 'g'],
  ['material', 'm'],
  ['loanType', 't'],
  ['location', 's'],
] as const satisfies (readonly [keyof Case, Letter])[]

interface Props {
  refs: Refs
  dirty: boolean
  onLine: (line: number | undefined) => void
}

export function Tester({ refs, dirty, onLine }: Props) {
  const t = useText()
  const [chosen, setChosen] = useState<Case>({})
  const [barcode, setBarcode] = useState('')
  const [unknown, setUnknown] = useState(false)
  const { group, material, loanType, location } = chosen
  const isWhole = group && material && loanType && location
  const { data, error, refetch } = useQuery({
    queryKey: ['rules-test', chosen],
    enabled: Boolean(isWhole),
    queryFn: async ({ signal }) => {
      const verdict = await ask(chosen as Required<Case>, refs, signal)
      onLine(verdict.line && verdict.line - 1)
      return verdict
    },
    staleTime: 0,
  })
  const look = async (event: FormEvent) => {
    event.preventDefault()
    const code = barcode.trim()
    if (!code) return
    const found = (await caseOf(code)) ?? { group: await groupOf(code) }
    const isKnown = Object.values(found).some(Boolean)
    setUnknown(!isKnown)
    if (isKnown) {
      setBarcode('')
      setChosen((before) => ({ ...before, ...found }))
    }
  }
  return (
    <section className={styles.test} aria-label={t('rules.test')}>
      <div className="row wrap">
        <h2>{t('rules.test')}</h2>
        <Badge push>{t('rules.savedRules')}</Badge>
      </div>
      {dirty ? <p className="sm muted">{t('rules.testsSaved')}</p> : null}
      <form className="row wrap top" onSubmit={(event) => void look(event)}>
        <TextField
          grow
          label={t('rules.barcode')}
          help={t('rules.barcodeHelp')}
          value={barcode}
          onChange={setBarcode}
          error={unknown ? t('rules.barcodeUnknown') : undefined}
        />
        <Button small type="submit">
          {t('rules.take')}
        </Button>
      </form>
      {PARTS.map(([part, letter]) => (
        <Select
          key={part}
          label={t(`rules.part.${letter}`)}
          placeholder={t('rules.choose')}
          value={chosen[part]}
          onChange={(id) => setChosen((before) => ({ ...before, [part]: id }))}
          choices={refs[letter].map(({ id, name }) => ({ value: id, text: name }))}
        />
      ))}
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      {data ? <VerdictView verdict={data} /> : null}
    </section>
  )
}

// The form of a fast add, in place above the list. What was added is scanned at once.
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { detailOf, failureOf } from '#/api/errors'
import { useText } from '#/i18n/text'
import { useMay } from '#/lib/permissions'
import { Button } from '#/ui/Button'
import card from '#/ui/Card.module.css'
import { cx } from '#/ui/cx'
import { Failed } from '#/ui/Failed'
import { Note } from '#/ui/Note'
import { Select } from '#/ui/Select'
import { TextField } from '#/ui/TextField'
import styles from './fast-add.module.css'
import { addFast, fastAddQuery } from './fastAdd'

interface Props {
  barcode: string
  onAdded: (barcode: string) => void
  onClose: () => void
}

export function FastAdd({ barcode: scanned, onAdded, onClose }: Props) {
  const t = useText()
  const { reason } = useMay('createItems')
  const { data, error, refetch } = useQuery(fastAddQuery)
  const [title, setTitle] = useState('')
  const [barcode, setBarcode] = useState(scanned)
  const [chosen, setChosen] = useState<
    Record<'locationId' | 'materialTypeId' | 'loanTypeId', string | undefined>
  >({
    locationId: undefined,
    materialTypeId: undefined,
    loanTypeId: undefined,
  })
  const [fault, setFault] = useState<string>()
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return null
  const { locations, materials, loanTypes, instanceTypeId, sourceId } = data
  const locationId = chosen.locationId ?? locations[0]?.id
  const materialTypeId =
    chosen.materialTypeId ?? (materials.find((one) => one.name === 'book') ?? materials[0])?.id
  const loanTypeId = chosen.loanTypeId ?? loanTypes[0]?.id
  const save = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!title.trim() || !barcode.trim() || !locationId || !materialTypeId || !loanTypeId) return
    setBusy(true)
    try {
      await addFast({
        title: title.trim(),
        barcode: barcode.trim(),
        instanceTypeId,
        sourceId,
        locationId,
        materialTypeId,
        loanTypeId,
      })
      onAdded(barcode.trim())
    } catch (problem) {
      setFault(detailOf(failureOf(problem)))
      setBusy(false)
    }
  }
  const choices = (all: readonly { id: string; name: string }[]) =>
    all.map((one) => ({ value: one.id, text: one.name }))
  return (
    <form
      className={cx(card.card, 'stack wide')}
      aria-label={t('checkout.fastAdd')}
      onSubmit={save}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <h2>{t('checkout.fastAdd')}</h2>
      {fault === undefined ? null : (
        <Note kind="blocked" alert>
          <p>
            <strong>{t('checkout.notAdded')}</strong> {fault}
          </p>
        </Note>
      )}
      <div className={styles.fields}>
        <TextField
          label={t('desk.title')}
          value={title}
          onChange={setTitle}
          autoFocus
          error={tried && !title.trim() ? t('checkout.typeTitle') : undefined}
        />
        <TextField
          label={t('desk.barcode')}
          value={barcode}
          onChange={setBarcode}
          error={tried && !barcode.trim() ? t('checkout.typeBarcode') : undefined}
        />
        <Select
          label={t('checkout.location')}
          value={locationId}
          choices={choices(locations)}
          onChange={(id) => setChosen({ ...chosen, locationId: id })}
        />
        <Select
          label={t('checkout.material')}
          value={materialTypeId}
          choices={choices(materials)}
          onChange={(id) => setChosen({ ...chosen, materialTypeId: id })}
        />
        <Select
          label={t('checkout.loanType')}
          value={loanTypeId}
          choices={choices(loanTypes)}
          onChange={(id) => setChosen({ ...chosen, loanTypeId: id })}
        />
      </div>
      <div className="row">
        <Button kind="primary" type="submit" busy={busy} disabled={reason}>
          {t('checkout.addAndLend')}
        </Button>
        <Button kind="quiet" keys="Esc" onPress={onClose}>
          {t('checkout.dontAdd')}
        </Button>
        {reason ? <span className="sm soft">{reason}</span> : null}
      </div>
    </form>
  )
}

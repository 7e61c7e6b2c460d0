// Which records, by which profile.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLoaded } from '#/api/query'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { useMay } from '#/lib/permissions'
import { idsIn, KINDS, startExport, type Wanted } from '#/transfer/exports'
import { exportProfilesQuery } from '#/transfer/profiles'
import { Button } from '#/ui/Button'
import { Failed } from '#/ui/Failed'
import { Segmented } from '#/ui/Segmented'
import { Select } from '#/ui/Select'
import { TextField } from '#/ui/TextField'
import styles from './data.module.css'

export function ExportForm() {
  const t = useText()
  const formats = useFormats()
  const client = useQueryClient()
  const profiles = useLoaded(exportProfilesQuery)
  const may = useMay('exportData')
  const [wanted, setWanted] = useState<Omit<Wanted, 'profileId'>>({
    by: 'cql',
    text: '',
    idType: 'instance',
  })
  const [profileId, setProfileId] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const { by, text, idType } = wanted
  const count = by === 'ids' ? idsIn(text).length : text.trim().length
  const run = async () => {
    if (!profileId || !count) return
    setBusy(true)
    setError(undefined)
    try {
      await startExport({ ...wanted, profileId })
      await client.invalidateQueries({ queryKey: ['exports'] })
    } catch (failed) {
      setError(failed)
    } finally {
      setBusy(false)
    }
  }
  return (
    <section className={styles.form} aria-label={t('data.export')}>
      <div className="row">
        <Segmented
          label={t('data.chosenBy')}
          value={by}
          onChange={(next) => setWanted({ ...wanted, by: next })}
          choices={[
            { value: 'cql', text: t('data.byCql') },
            { value: 'ids', text: t('data.byIds') },
          ]}
        />
      </div>
      <TextField
        label={t(by === 'ids' ? 'data.ids' : 'data.cql')}
        help={
          by === 'ids'
            ? t('data.idsFound', { count: formats.number(count) })
            : t('data.cqlHelp', { example: 'title all "rivers"' })
        }
        lines
        value={text}
        onChange={(next) => setWanted({ ...wanted, text: next })}
      />
      <Select
        label={t('data.kind')}
        value={idType}
        onChange={(next) => setWanted({ ...wanted, idType: next })}
        choices={KINDS.map((value) => ({ value, text: t(`data.kind.${value}`) }))}
      />
      <Select
        label={t('data.profile')}
        placeholder={t('data.choose')}
        value={profileId}
        onChange={setProfileId}
        choices={profiles.map(({ id, name }) => ({ value: id, text: name }))}
      />
      {error ? <Failed error={error} /> : null}
      <div className="row">
        <Button
          kind="primary"
          icon="download"
          busy={busy}
          disabled={
            may.reason ??
            (count ? (profileId ? undefined : t('data.chooseFirst')) : t('data.nameFirst'))
          }
          onPress={() => void run()}
        >
          {t('data.startExport')}
        </Button>
      </div>
    </section>
  )
}

// A file by drop or choice, a profile, go.
import { useNavigate } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { useLoaded } from '#/api/query'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { useMay } from '#/lib/permissions'
import { importFile } from '#/transfer/importFile'
import { importProfilesQuery } from '#/transfer/profiles'
import { Button } from '#/ui/Button'
import { cx } from '#/ui/cx'
import { Failed } from '#/ui/Failed'
import { Icon } from '#/ui/Icon'
import { Select } from '#/ui/Select'
import styles from './data.module.css'

export function ImportForm() {
  const t = useText()
  const formats = useFormats()
  const navigate = useNavigate()
  const profiles = useLoaded(importProfilesQuery)
  const may = useMay('importData')
  const input = useId()
  const [file, setFile] = useState<File>()
  const [profileId, setProfileId] = useState<string>()
  const [over, setOver] = useState(false)
  const [share, setShare] = useState<number>()
  const [error, setError] = useState<unknown>()
  const profile = profiles.find(({ id }) => id === profileId)
  const run = async () => {
    if (!file || !profile) return
    setError(undefined)
    setShare(0)
    try {
      const jobId = await importFile(file, profile, setShare)
      await navigate({ to: '/data/job/$jobId', params: { jobId }, search: {} })
    } catch (failed) {
      setError(failed)
    } finally {
      setShare(undefined)
    }
  }
  return (
    <section className={styles.form} aria-label={t('data.importFile')}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the field inside does the same by keyboard. */}
      <div
        className={cx(styles.drop, over && styles.over)}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          setFile(event.dataTransfer.files[0])
        }}
      >
        <Icon name="upload" large />
        <label htmlFor={input} className="medium">
          {t('data.drop')}
        </label>
        <input
          id={input}
          type="file"
          accept=".mrc,.marc,.xml,.json,.edi,.inv"
          onChange={(event) => setFile(event.target.files?.[0])}
        />
        {file ? (
          <p className="sm soft">
            <bdi>{file.name}</bdi> ·{' '}
            {t('data.size', { size: formats.number(Math.ceil(file.size / 1000)) })}
          </p>
        ) : null}
      </div>
      <Select
        label={t('data.profile')}
        help={profile?.description}
        placeholder={t('data.choose')}
        value={profileId}
        onChange={setProfileId}
        choices={profiles.map(({ id, name }) => ({ value: id, text: name }))}
      />
      {share === undefined ? null : (
        <progress className={styles.share} value={share} max={1} aria-label={t('data.sending')} />
      )}
      {error ? <Failed error={error} /> : null}
      <div className="row">
        <Button
          kind="primary"
          icon="upload"
          busy={share !== undefined}
          disabled={
            may.reason ??
            (file ? (profile ? undefined : t('data.chooseFirst')) : t('data.fileFirst'))
          }
          onPress={() => void run()}
        >
          {t('data.startImport')}
        </Button>
      </div>
    </section>
  )
}

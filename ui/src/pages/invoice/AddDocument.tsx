// A file or a link for an invoice.
import { useState } from 'react'
import { Refused } from '#/acquisitions/Refused'
import { announce } from '#/app/live'
import { useAct } from '#/forms/useAct'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { ConfirmCard } from '#/ui/ConfirmCard'
import { Fields } from '#/ui/Fields'
import { FileField } from '#/ui/FileField'
import { Segmented } from '#/ui/Segmented'
import { TextField } from '#/ui/TextField'
import { addFile, addLink, FILE_BYTES_MAX } from './documents'

interface Props {
  invoiceId: string
  onClose: () => void
}

export function AddDocument({ invoiceId, onClose }: Props) {
  const t = useText()
  const { number } = useFormats()
  const act = useAct()
  const [kind, setKind] = useState<'file' | 'link'>('file')
  const [file, setFile] = useState<File>()
  const [name, setName] = useState('')
  const [url, setUrl] = useState('')
  const [tried, setTried] = useState(false)
  const tooLarge = file && file.size > FILE_BYTES_MAX
  const fileFault = file
    ? tooLarge
      ? t('fin.fileTooLarge', { size: number(Math.floor(FILE_BYTES_MAX / 1_000_000)) })
      : undefined
    : t('fin.chooseFile')
  const nameFault = name.trim() ? undefined : t('acq.fillIt')
  const urlFault = /^https?:\/\/\S+$/i.test(url.trim()) ? undefined : t('fin.typeAddress')
  const go = async () => {
    setTried(true)
    if (kind === 'file' ? fileFault : nameFault || urlFault) return
    const done = await act.run(() =>
      kind === 'file' && file
        ? addFile(invoiceId, file)
        : addLink(invoiceId, name.trim(), url.trim()),
    )
    if (!done) return
    announce(t('fin.documentAdded'))
    onClose()
  }
  return (
    <ConfirmCard
      title={t('fin.addDocument')}
      act={t('acq.add')}
      busy={act.busy}
      onAct={() => void go()}
      onClose={onClose}
    >
      <Refused failure={act.failure} />
      <Segmented
        label={t('acq.what')}
        value={kind}
        choices={[
          { value: 'file', text: t('fin.file') },
          { value: 'link', text: t('fin.link') },
        ]}
        onChange={setKind}
      />
      {kind === 'file' ? (
        <FileField label={t('fin.file')} error={tried ? fileFault : undefined} onChange={setFile} />
      ) : (
        <Fields wide>
          <TextField
            label={t('acq.name')}
            value={name}
            onChange={setName}
            error={tried ? nameFault : undefined}
          />
          <TextField
            label={t('acq.uri')}
            type="url"
            value={url}
            onChange={setUrl}
            error={tried ? urlFault : undefined}
          />
        </Fields>
      )}
    </ConfirmCard>
  )
}

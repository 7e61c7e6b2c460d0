// A file of this computer, or an address elsewhere, as the user's picture.
import { useState } from 'react'
import { announce } from '#/app/live'
import { NotDone } from '#/forms/NotDone'
import { useAct } from '#/forms/useAct'
import { useText } from '#/i18n/text'
import { useNeeds } from '#/lib/permissions'
import { useUnits } from '#/lib/units'
import {
  ACCEPTED,
  faultOf,
  isShown,
  keepFile,
  keepLink,
  type PictureSetting,
  storedId,
} from '#/patrons/pictures'
import type { Patron } from '#/patrons/types'
import { ConfirmCard } from '#/ui/ConfirmCard'
import { FileField } from '#/ui/FileField'
import { Segmented } from '#/ui/Segmented'
import { TextField } from '#/ui/TextField'

interface Props {
  user: Patron
  setting: PictureSetting
  onClose: () => void
}

export function PictureForm({ user, setting, onClose }: Props) {
  const t = useText()
  const units = useUnits()
  const act = useAct()
  const link = user.personal.profilePictureLink
  const [kind, setKind] = useState<'file' | 'link'>('file')
  const [file, setFile] = useState<File>()
  const [address, setAddress] = useState(storedId(link) ? '' : (link ?? ''))
  const [tried, setTried] = useState(false)
  const needed = storedId(link) ? 'put' : 'post'
  const maySend = useNeeds(`users.profile-picture.item.${needed}`)
  const mayRemove = useNeeds(storedId(link) && 'users.profile-picture.item.delete')
  const size = units.decimal(setting.maxFileSize ?? 0)
  const limit = setting.maxFileSize === undefined ? undefined : t('users.pictureLimit', { size })
  const fileFault = () => {
    if (!file) return tried ? t('users.choosePicture') : undefined
    const fault = faultOf(file, setting)
    if (fault === 'kind') return t('users.pictureKind')
    return fault === 'size' ? t('users.pictureTooLarge', { size }) : undefined
  }
  const linkFault = isShown(address.trim()) ? undefined : t('users.pictureAddress')
  const go = async () => {
    setTried(true)
    if (kind === 'file' ? !file || fileFault() : linkFault) return
    const done = await act.run(() =>
      kind === 'file' && file ? keepFile(user.id, file) : keepLink(user.id, address.trim()),
    )
    if (!done) return
    announce(t('users.pictureKept'))
    onClose()
  }
  return (
    <ConfirmCard
      title={link ? t('users.changePicture') : t('users.addPicture')}
      act={t('users.keepPicture')}
      busy={act.busy}
      disabled={kind === 'file' ? maySend.reason : mayRemove.reason}
      onAct={() => void go()}
      onClose={onClose}
    >
      <NotDone failure={act.failure} />
      <Segmented
        label={t('users.pictureFrom')}
        value={kind}
        choices={[
          { value: 'file', text: t('users.pictureFile') },
          { value: 'link', text: t('users.pictureLink') },
        ]}
        onChange={setKind}
      />
      {kind === 'file' ? (
        <FileField
          label={t('users.pictureFile')}
          accept={ACCEPTED.join()}
          help={limit}
          error={fileFault()}
          onChange={setFile}
        />
      ) : (
        <TextField
          label={t('users.pictureLink')}
          type="url"
          help={t('users.pictureLinkWhat')}
          value={address}
          onChange={setAddress}
          error={tried ? linkFault : undefined}
        />
      )}
    </ConfirmCard>
  )
}

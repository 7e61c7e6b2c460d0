// The user's picture at a size that faces can be compared with, and its acts. Nothing where the library has no pictures.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { announce } from '#/app/live'
import { NotDone } from '#/forms/NotDone'
import { useAct } from '#/forms/useAct'
import { useText } from '#/i18n/text'
import { fullName } from '#/lib/names'
import { useNeeds } from '#/lib/permissions'
import { isWeb, keepLink, pictureSettingQuery, storedId, usePicture } from '#/patrons/pictures'
import type { Patron } from '#/patrons/types'
import { Button } from '#/ui/Button'
import { ConfirmCard } from '#/ui/ConfirmCard'
import { PictureForm } from './PictureForm'
import styles from './record.module.css'

/** Shadow users have theirs in their own library. */
const SHADOW = 'shadow'

export function Picture({ user }: { user: Patron }) {
  const t = useText()
  const { data: setting } = useQuery(pictureSettingQuery)
  const { src, onError } = usePicture(user)
  const [task, setTask] = useState<'change' | 'remove'>()
  const mayEdit = useNeeds('users.item.put')
  const link = user.personal.profilePictureLink
  const mayRemove = useNeeds(storedId(link) && 'users.profile-picture.item.delete')
  if (!setting?.enabled || user.type === SHADOW) return null
  const close = () => setTask(undefined)
  return (
    <section className="stack" aria-label={t('users.picture')}>
      <h2>{t('users.picture')}</h2>
      {src ? (
        <img
          className={styles.picture}
          src={src}
          alt={t('users.pictureOf', { name: fullName(user.personal) })}
          referrerPolicy="no-referrer"
          onError={onError}
        />
      ) : (
        <p className="soft">{link ? t('users.pictureAbsent') : t('users.noPicture')}</p>
      )}
      {isWeb(link) ? (
        <p className="sm">
          <a href={link} target="_blank" rel="noreferrer" dir="ltr" className={styles.address}>
            {link}
          </a>
        </p>
      ) : null}
      {task === 'change' ? <PictureForm user={user} setting={setting} onClose={close} /> : null}
      {task === 'remove' ? <Remove user={user} onClose={close} /> : null}
      {task ? null : (
        <div className="row wrap">
          <Button small disabled={mayEdit.reason} onPress={() => setTask('change')}>
            {link ? t('users.changePicture') : t('users.addPicture')}
          </Button>
          {link ? (
            <Button
              small
              kind="quiet"
              icon="trash-2"
              disabled={mayEdit.reason ?? mayRemove.reason}
              onPress={() => setTask('remove')}
            >
              {t('users.removePicture')}
            </Button>
          ) : null}
        </div>
      )}
    </section>
  )
}

function Remove({ user, onClose }: { user: Patron; onClose: () => void }) {
  const t = useText()
  const act = useAct()
  const go = async () => {
    if (!(await act.run(() => keepLink(user.id, undefined)))) return
    announce(t('users.pictureRemoved'))
    onClose()
  }
  return (
    <ConfirmCard
      title={t('users.askPicture')}
      act={t('users.removeIt')}
      danger
      busy={act.busy}
      onAct={() => void go()}
      onClose={onClose}
    >
      <NotDone failure={act.failure} />
    </ConfirmCard>
  )
}

// The user's picture beside the name, or the initials. It has its room before it is here: nothing moves under the scanner.
import { useState } from 'react'
import type { User } from '#/api/types'
import { initials } from '#/lib/names'
import { Avatar } from '#/ui/Avatar'
import { usePicture } from './pictures'

export function Portrait({ user }: { user: Pick<User, 'personal'> }) {
  const { hasOne, src } = usePicture(user)
  const [broken, setBroken] = useState<string>()
  const text = initials(user.personal ?? {})
  const isThere = src !== undefined && src !== broken
  return (
    <Avatar
      big
      face={hasOne}
      text={
        isThere ? (
          <img src={src} alt="" referrerPolicy="no-referrer" onError={() => setBroken(src)} />
        ) : (
          text
        )
      }
    />
  )
}

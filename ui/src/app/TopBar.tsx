// Mark, search box, desk, sounds, keys, person.
import { Link, useNavigate } from '@tanstack/react-router'
import { logOut } from '#/api/login'
import { useSelf } from '#/api/self'
import { useConnection } from '#/api/useConnection'
import { SoundButton } from '#/desk/SoundButton'
import { useText } from '#/i18n/text'
import { useDesk } from '#/lib/desk'
import { fullName, initials } from '#/lib/names'
import { Avatar } from '#/ui/Avatar'
import { Badge } from '#/ui/Badge'
import { Button } from '#/ui/Button'
import { Key } from '#/ui/Key'
import { Menu } from '#/ui/Menu'
import { Mark } from './Brand'
import styles from './Shell.module.css'
import { SearchBox } from './search/SearchBox'

export function TopBar({ onKeys }: { onKeys: () => void }) {
  const t = useText()
  const navigate = useNavigate()
  const desk = useDesk()
  const { offline } = useConnection()
  const { user } = useSelf()
  const name = fullName(user.personal ?? {}) || user.username || ''
  return (
    <header className={styles.topbar}>
      <Link className={`${styles.brand} plain`} to="/" aria-label={t('shell.start')}>
        <Mark />
        <span>Octavo</span>
      </Link>
      <SearchBox />
      <div className={styles.tools}>
        {offline ? (
          <Badge kind="offline" icon="cloud-off">
            {t('shell.isOffline')}
          </Badge>
        ) : null}
        <Button
          kind="quiet"
          icon="map-pin"
          wideOnly
          onPress={() => navigate({ to: '/desk', search: {} })}
        >
          <span className="cut">{desk?.name ?? t('shell.noDesk')}</span>
        </Button>
        <SoundButton />
        <Button kind="quiet" square wideOnly onPress={onKeys} aria-label={t('shell.keysOfPage')}>
          <Key combo="?" />
        </Button>
        <Menu
          label={t('shell.person', { name })}
          trigger={
            <Button
              kind="quiet"
              square
              aria-label={`${initials(user.personal ?? {})}, ${t('shell.person', { name })}`}
            >
              <Avatar text={initials(user.personal ?? {})} />
            </Button>
          }
          acts={[
            {
              id: 'desk',
              text: t('shell.changeDesk'),
              icon: 'map-pin',
              keys: 'g d',
              run: () => navigate({ to: '/desk', search: {} }),
            },
            {
              id: 'look',
              text: t('shell.preferences'),
              icon: 'palette',
              keys: 'g p',
              run: () => navigate({ to: '/preferences' }),
            },
            { id: 'keys', text: t('shell.keysOfPage'), icon: 'keyboard', keys: '?', run: onKeys },
            'line',
            { id: 'out', text: t('shell.logOut'), icon: 'log-out', run: () => void logOut() },
          ]}
        />
      </div>
    </header>
  )
}

// Top bar, rail, sheet, bottom bar: the frame of every page behind the log-in.
import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useText } from '#/i18n/text'
import { page } from '#/ui/Page'
import { Banner } from './Banner'
import { Dock, Rail } from './Rail'
import { Relogin } from './Relogin'
import styles from './Shell.module.css'
import { TopBar } from './TopBar'
import { useAppCommands } from './useAppCommands'
import { useArrival } from './useArrival'
import { useKeyListener } from './useKeyListener'
import { useLoggedOut } from './useLoggedOut'
import { useOfflineWatch } from './useOfflineWatch'

// Only who presses "?" needs it.
const KeyList = lazy(async () => ({ default: (await import('./KeyList')).KeyList }))

export function Shell() {
  const t = useText()
  const keyList = useAppCommands()
  const main = useArrival()
  useKeyListener()
  useLoggedOut()
  useOfflineWatch()
  return (
    <>
      <a className={styles.skip} href="#main">
        {t('shell.skip')}
      </a>
      <div className={styles.app}>
        <TopBar onKeys={keyList.show} />
        <Banner />
        <Rail />
        <main className={page.sheet} id="main" tabIndex={-1} ref={main}>
          <Outlet />
        </main>
        <Dock />
      </div>
      {keyList.open ? (
        <Suspense>
          <KeyList open onClose={keyList.hide} />
        </Suspense>
      ) : null}
      <Relogin />
    </>
  )
}

// A page that could not be had; the shell stays.
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { Failed } from '#/ui/Failed'
import { page } from '#/ui/Page'

export function PageFailed({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const retry = () => {
    reset()
    router.invalidate()
  }
  return (
    <div className={page.body}>
      <Failed error={error} retry={retry} />
    </div>
  )
}

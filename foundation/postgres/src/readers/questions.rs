//! Coalesces a question that many callers ask of a server: one is in flight at a time, and each
//! answer serves all who asked before it was sent. Does not know the question.

use tokio::sync::{mpsc, oneshot};
use tokio::task::AbortHandle;

type Asker<T> = oneshot::Sender<Option<T>>;

/// Asks on behalf of many callers. The server's load is bounded by round trips, not by callers.
#[derive(Debug)]
pub(super) struct Questions<T> {
    askers: mpsc::UnboundedSender<Asker<T>>,
    task: AbortHandle,
}

impl<T: Clone + Send + 'static> Questions<T> {
    /// Starts to ask by calling `put`, which returns `None` when there is no answer.
    pub(super) fn start<F>(mut put: impl FnMut() -> F + Send + 'static) -> Self
    where
        F: Future<Output = Option<T>> + Send,
    {
        let (sender, mut askers) = mpsc::unbounded_channel::<Asker<T>>();
        let task = tokio::spawn(async move {
            let mut together = Vec::new();
            // A caller that comes while a question is in flight waits for the next one: the present
            // one may have been answered before the commit that the caller has to see.
            while askers.recv_many(&mut together, usize::MAX).await > 0 {
                let answer = put().await;
                for asker in together.drain(..) {
                    // The caller may have gone away.
                    let _ = asker.send(answer.clone());
                }
            }
        });
        Self {
            askers: sender,
            task: task.abort_handle(),
        }
    }

    /// The answer to a question that is sent after this call.
    pub(super) async fn ask(&self) -> Option<T> {
        let (asker, answer) = oneshot::channel();
        self.askers.send(asker).ok()?;
        answer.await.ok().flatten()
    }
}

impl<T> Drop for Questions<T> {
    fn drop(&mut self) {
        self.task.abort();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use tokio::sync::Semaphore;

    use super::*;

    #[tokio::test]
    async fn all_who_asked_before_share_one_question_and_later_ones_get_another() {
        let put = Arc::new(AtomicUsize::new(0));
        let answers = Arc::new(Semaphore::new(0));
        let questions = {
            let (put, answers) = (Arc::clone(&put), Arc::clone(&answers));
            Arc::new(Questions::start(move || {
                let number = put.fetch_add(1, Ordering::SeqCst) + 1;
                let answers = Arc::clone(&answers);
                async move {
                    answers.acquire().await.ok()?.forget();
                    Some(number)
                }
            }))
        };
        let ask = || {
            let questions = Arc::clone(&questions);
            tokio::spawn(async move { questions.ask().await })
        };
        let first = ask();
        while put.load(Ordering::SeqCst) < 1 {
            tokio::task::yield_now().await;
        }
        // The first question is in flight; a hundred more callers come.
        let later: Vec<_> = (0..100).map(|_| ask()).collect();
        for _ in 0..10 {
            tokio::task::yield_now().await;
        }
        assert_eq!(put.load(Ordering::SeqCst), 1);
        answers.add_permits(2);
        assert_eq!(first.await.unwrap(), Some(1));
        for one in later {
            assert_eq!(one.await.unwrap(), Some(2));
        }
        assert_eq!(put.load(Ordering::SeqCst), 2);
    }

    #[tokio::test]
    async fn who_asks_nobody_gets_no_answer() {
        let questions = Questions::<u8>::start(|| async { None });
        assert_eq!(questions.ask().await, None);
        questions.task.abort();
        assert_eq!(questions.ask().await, None);
    }
}

//! The example of a remote module, run in the test's process and called over HTTP.

use std::net::SocketAddr;

pub use octavo_example_remote_module::{Options as RemoteOptions, Phase};
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::task::AbortHandle;

/// A module on a port of its own; its connections are closed when it is stopped or dropped.
#[derive(Debug)]
pub struct RemoteModule {
    address: SocketAddr,
    options: RemoteOptions,
    task: AbortHandle,
}

impl RemoteModule {
    /// Starts a variant of the module on a free port.
    ///
    /// # Panics
    /// When there is no free port.
    pub async fn start(options: RemoteOptions) -> RemoteModule {
        let any = SocketAddr::from(([127, 0, 0, 1], 0));
        RemoteModule::start_at(any, options).await
    }

    /// Starts it at a given address, such as that of a stopped one.
    ///
    /// # Panics
    /// When the address is taken.
    pub async fn start_at(address: SocketAddr, options: RemoteOptions) -> RemoteModule {
        let listener = TcpListener::bind(address).await.expect("a free port");
        let address = listener
            .local_addr()
            .expect("a bound socket has an address");
        let serving =
            octavo_example_remote_module::serve(listener, options.clone(), std::future::pending());
        let task = tokio::spawn(serving).abort_handle();
        RemoteModule {
            address,
            options,
            task,
        }
    }

    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    #[must_use]
    pub fn descriptor(&self) -> Value {
        octavo_example_remote_module::descriptor(&self.options)
    }

    #[must_use]
    pub fn id(&self) -> String {
        let descriptor = self.descriptor();
        descriptor["id"].as_str().expect("an id").to_owned()
    }

    /// Stops it: its port is closed and every connection ends.
    pub fn stop(&self) {
        self.task.abort();
    }
}

impl Drop for RemoteModule {
    fn drop(&mut self) {
        self.task.abort();
    }
}

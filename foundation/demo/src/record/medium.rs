//! The physical medium of a title, and the reference ids that follow from it.

use uuid::Uuid;

use crate::reference::{
    date_type, holdings_type, instance_format, instance_type, material_type, mode_of_issuance,
};

/// The carrier of a title.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Medium {
    Book,
    Dvd,
    Cd,
    Journal,
}

impl Medium {
    pub(crate) fn material_type(self) -> Uuid {
        match self {
            Self::Book => material_type::BOOK,
            Self::Dvd => material_type::DVD,
            Self::Cd => material_type::SOUND_RECORDING,
            Self::Journal => material_type::TEXT,
        }
    }

    pub(crate) fn instance_type(self) -> Uuid {
        match self {
            Self::Book | Self::Journal => instance_type::TEXT,
            Self::Dvd => instance_type::MOVING_IMAGE,
            Self::Cd => instance_type::PERFORMED_MUSIC,
        }
    }

    pub(crate) fn instance_format(self) -> Uuid {
        match self {
            Self::Book | Self::Journal => instance_format::VOLUME,
            Self::Dvd => instance_format::VIDEODISC,
            Self::Cd => instance_format::AUDIO_DISC,
        }
    }

    pub(crate) fn holdings_type(self) -> Uuid {
        match self {
            Self::Book => holdings_type::MONOGRAPH,
            Self::Dvd | Self::Cd => holdings_type::PHYSICAL,
            Self::Journal => holdings_type::SERIAL,
        }
    }

    pub(crate) fn mode_of_issuance(self) -> Uuid {
        match self {
            Self::Journal => mode_of_issuance::SERIAL,
            _ => mode_of_issuance::SINGLE_UNIT,
        }
    }

    pub(crate) fn date_type(self) -> Uuid {
        match self {
            Self::Journal => date_type::CONTINUING,
            _ => date_type::SINGLE,
        }
    }

    /// The physical description of the whole.
    pub(crate) fn description(self) -> &'static str {
        match self {
            Self::Book => "1 volume",
            Self::Dvd => "1 videodisc (DVD)",
            Self::Cd => "1 audio disc (CD)",
            Self::Journal => "volumes",
        }
    }
}

//! The accent colour and its contrast, by the formulas of WCAG 2.2.
//!
//! Invariants: an accent has at least [`LEAST_CONTRAST`] on every surface of the pages, in light and in dark mode, so
//! that it can be used for links, focus rings and buttons.

use std::fmt;
use std::str::FromStr;

use svc_core::{Error, Result};

/// Minimum contrast of text on its background for level AA.
const LEAST_CONTRAST: f64 = 4.5;

/// The surfaces of `style.css`: paper, raised, sunken.
const LIGHT: [Colour; 3] = [Colour([0xfc, 0xfc, 0xfa]), Colour([0xff, 0xff, 0xff]), Colour([0xf4, 0xf4, 0xf0])];
const DARK: [Colour; 3] = [Colour([0x15, 0x17, 0x1b]), Colour([0x1b, 0x1e, 0x23]), Colour([0x10, 0x12, 0x15])];

const BLACK: Colour = Colour([0; 3]);
const WHITE: Colour = Colour([255; 3]);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Colour([u8; 3]);

/// The accent colour of the pages, for light and for dark mode.
///
/// Parsed from `#rrggbb`. A colour that would be hard to read is darkened for light mode or lightened for dark mode,
/// no more than necessary.
///
/// ```
/// let accent: svc_http::BrandAccent = "#0b6e4f".parse()?;
/// assert_eq!(accent.light(), "#0b6e4f");
/// assert_ne!(accent.dark(), "#0b6e4f");
/// # Ok::<(), svc_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BrandAccent {
    light: Colour,
    dark: Colour,
}

impl BrandAccent {
    /// The colour in light mode, as `#rrggbb`.
    pub fn light(&self) -> String {
        self.light.to_string()
    }

    /// The colour in dark mode, as `#rrggbb`.
    pub fn dark(&self) -> String {
        self.dark.to_string()
    }
}

impl Default for BrandAccent {
    /// The accent of the web UI.
    fn default() -> Self {
        Self { light: Colour([0x3b, 0x4f, 0xc4]), dark: Colour([0xa3, 0xb1, 0xff]) }
    }
}

impl FromStr for BrandAccent {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let colour: Colour = text.parse()?;
        Ok(Self { light: colour.towards(BLACK, &LIGHT), dark: colour.towards(WHITE, &DARK) })
    }
}

impl Colour {
    /// Mixes this colour with `end` until it is legible on all of these surfaces.
    fn towards(self, end: Self, surfaces: &[Self]) -> Self {
        let legible = |colour: &Self| surfaces.iter().all(|surface| colour.contrast(*surface) >= LEAST_CONTRAST);
        // The end colours are legible on their surfaces, so the search always succeeds.
        (0..=100).map(|percent| self.mixed(end, percent)).find(legible).unwrap_or(end)
    }

    fn mixed(self, other: Self, percent: u16) -> Self {
        let [mut red, mut green, mut blue] = self.0;
        for (part, aim) in [&mut red, &mut green, &mut blue].into_iter().zip(other.0) {
            let mixed = (u16::from(*part) * (100 - percent) + u16::from(aim) * percent) / 100;
            *part = u8::try_from(mixed).unwrap_or(u8::MAX);
        }
        Self([red, green, blue])
    }

    /// From 1 for equal luminance to 21 for black on white.
    fn contrast(self, other: Self) -> f64 {
        let (one, two) = (self.luminance(), other.luminance());
        (one.max(two) + 0.05) / (one.min(two) + 0.05)
    }

    fn luminance(self) -> f64 {
        let linear = |part: u8| {
            let part = f64::from(part) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        };
        let [red, green, blue] = self.0.map(linear);
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
}

impl FromStr for Colour {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6);
        let digits = digits.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let Some([_, red, green, blue]) = number.map(u32::to_be_bytes) else {
            return Err(Error::invalid("brand_accent", "must be a colour such as #3b4fc4: a # and six hex digits"));
        };
        Ok(Self([red, green, blue]))
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, green, blue] = self.0;
        write!(formatter, "#{red:02x}{green:02x}{blue:02x}")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn is_legible(accent: BrandAccent) -> bool {
        LIGHT.iter().all(|surface| accent.light.contrast(*surface) >= LEAST_CONTRAST)
            && DARK.iter().all(|surface| accent.dark.contrast(*surface) >= LEAST_CONTRAST)
    }

    #[test]
    fn contrast_is_that_of_the_guidelines() {
        assert!((BLACK.contrast(WHITE) - 21.0).abs() < 0.001);
        assert!((WHITE.contrast(WHITE) - 1.0).abs() < 0.001);
        let grey = Colour([0x76; 3]).contrast(WHITE);
        assert!((4.5..4.6).contains(&grey), "{grey}");
    }

    #[test]
    fn a_legible_colour_stays_and_another_moves() {
        assert!(is_legible(BrandAccent::default()));
        let green: BrandAccent = "#0B6E4F".parse().unwrap();
        assert_eq!(green.light(), "#0b6e4f");
        let yellow: BrandAccent = "#ffd400".parse().unwrap();
        assert_eq!(yellow.dark(), "#ffd400");
        assert_ne!(yellow.light(), "#ffd400");
    }

    #[test]
    fn a_colour_is_six_digits_after_a_hash() {
        for text in ["", "#", "3b4fc4", "#3b4", "#3b4fc4ff", "#3b4fcg", "#+b4fc4", "red", "#3b4fc4;}", "#ééé"] {
            assert!(text.parse::<BrandAccent>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_surfaces_are_those_of_the_stylesheet() {
        let style = include_str!("../../templates/style.css");
        for (light, dark) in LIGHT.iter().zip(DARK) {
            assert!(style.contains(&format!("light-dark({light}, {dark})")), "{light}");
        }
    }

    proptest! {
        #[test]
        fn every_accent_is_legible(parts in any::<[u8; 3]>()) {
            let accent: BrandAccent = Colour(parts).to_string().parse().unwrap();
            prop_assert!(is_legible(accent), "{accent:?}");
        }
    }
}

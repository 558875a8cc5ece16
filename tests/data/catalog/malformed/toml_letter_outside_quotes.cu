//! title = "Größe in quotes is fine, and \\ as well"  # Größe
//! größe = 1
// expect: :2: 
// expect: only ASCII characters are allowed outside quotes
